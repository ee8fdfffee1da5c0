"""Runs that collect: each in a child process of its own, which outlives the service if it must.

orders       what was asked for -> the plan of the library       child       the process itself
children     start one, see whether it lives, stop it            progress    counted in journals
supervisor   watches all of them
"""
