"""Whole numbers in words, English and Chinese, for replies that spell a term out.

In: months, 0 to 999. Out: `thirty-one`, `三十一`.
"""

from __future__ import annotations

_SMALL = [
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"),
    *("eighteen", "nineteen"),
]
_TENS = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_HAN = "零一二三四五六七八九"


def english(number: int) -> str:
    """`number` (0 to 999) in English words."""
    if number < 20:
        return _SMALL[number]
    if number < 100:
        tens, ones = divmod(number, 10)
        return _TENS[tens] + (f"-{_SMALL[ones]}" if ones else "")
    hundreds, rest = divmod(number, 100)
    return f"{_SMALL[hundreds]} hundred" + (f" and {english(rest)}" if rest else "")


def chinese(number: int) -> str:
    """`number` (0 to 999) in Chinese numerals, as a judgment writes a term."""
    if number < 10:
        return _HAN[number]
    if number < 100:
        tens, ones = divmod(number, 10)
        return ("" if tens == 1 else _HAN[tens]) + "十" + (_HAN[ones] if ones else "")
    hundreds, rest = divmod(number, 100)
    if rest == 0:
        return f"{_HAN[hundreds]}百"
    below = ("零" if rest < 10 else "一" if rest < 20 else "") + chinese(rest)
    return f"{_HAN[hundreds]}百{below}"
