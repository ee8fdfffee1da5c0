"""Servers that tests ask: real HTTP on the loopback interface, with faults on demand."""
