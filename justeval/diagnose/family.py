"""Exact p values, and the one level of 1 % that all checks of a run share.

In: for every test that was made, the least p that its margins allow, and its p where that may
matter. Out: the thresholds below which a p is a finding.

Every test is exact given its margins: nothing is drawn at random and no p is approximate. A test
whose margins cannot give a p below the threshold cannot be a false alarm either, and costs
nothing (Tarone 1990, Biometrics 46, 515): with k the smallest number such that at most k tests
can reach alpha / k, each is judged at alpha / k and the family-wise error stays below alpha,
however the tests depend on each other.

Half of the level belongs to the search for identical replies. It makes a test for every reply
that stands alone anywhere, hundreds of thousands in a large run, of which next to none can reach
the level unless there is something to find; the other checks make few tests that all can.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special

from justeval.diagnose.records import LEVEL, Finding
from justeval.estimate.encoding import Flags
from justeval.estimate.records import Codes, Floats

FAR_ENOUGH = 2.0
"""Tests whose count lies less than this many standard deviations above its mean cannot matter at
1 %; their p is left at 1."""


@dataclass(frozen=True, slots=True)
class Suspect:
    """A test whose p is small enough to be looked at; `finding` is made only if it counts."""

    p: float
    finding: Callable[[], Finding | None]


@dataclass(frozen=True, slots=True)
class Rival:
    """A suspect that may owe its p to replies which another one explains.

    judge : the finding with its p, after the documents told by earlier findings were left out:
    a bool for each document of each label. Rivals of a lower rank go first.
    """

    p: float
    rank: int
    judge: Callable[[Flags], Finding | None]


@dataclass(frozen=True, slots=True)
class Check:
    """The outcome of one kind of check over a whole run.

    log_least : (T,) log of the least p that each of the tests could have had. suspects, rivals :
    those with p below the level. facts : findings that are no matter of chance.
    """

    log_least: Floats
    suspects: tuple[Suspect, ...] = ()
    facts: tuple[Finding, ...] = ()
    rivals: tuple[Rival, ...] = ()
    own_half: bool = False


@dataclass(frozen=True, slots=True)
class Excess:
    """Tests of whether a count lies above what chance within documents gives, one entry a test.

    key : (T,) what is tested. count, expected : (T,) hits and their mean. entries : (T,) chances
    that were not certain. p : (T,) exact, 1 where it cannot matter. log_least : (T,).
    """

    key: Codes
    count: Codes
    expected: Floats
    entries: Codes
    p: Floats
    log_least: Floats

    def small(self) -> Codes:
        """Indices of the tests with p at most the level, the smallest p first."""
        at = np.flatnonzero(self.p <= LEVEL)
        return at[np.argsort(self.p[at], kind="stable")]


NO_TESTS = np.zeros(0)


@dataclass(frozen=True, slots=True)
class Threshold:
    """The p below which a test is a finding, and how many tests that could reach it share it."""

    p: float
    tests: int


def thresholds(checks: Sequence[Check], level: float = LEVEL) -> dict[bool, Threshold]:
    """The thresholds of both halves of the level; True for the half of identical replies."""
    result = {}
    for own_half in (True, False):
        least = [check.log_least for check in checks if check.own_half == own_half]
        result[own_half] = tarone(np.concatenate([NO_TESTS, *least]), level / 2.0)
    return result


def tarone(log_least: Floats, level: float) -> Threshold:
    """Tarone's threshold for tests with these least p (as logs) at a family-wise level."""
    if log_least.size == 0:
        return Threshold(level, 0)
    ordered = np.sort(log_least)
    ranks = np.arange(1, ordered.size + 1)
    reachable = np.searchsorted(ordered, np.log(level / ranks) + 1e-9, side="right")
    enough = np.flatnonzero(reachable <= ranks)
    k = int(ranks[enough[0]]) if enough.size else ordered.size
    return Threshold(level / k, int(reachable[k - 1]))


def excess_tests(key: Codes, chance: Floats, hit: Flags) -> Excess:
    """One test a key: the sum of independent hits, each with its own chance, in the upper tail.

    key, chance, hit : (E,) one entry a document that could have gone either way, 0 < chance < 1.
    If the versions of a document are exchangeable, a document with k hits among n versions hits
    a given one with chance k/n: the sum is Poisson-binomial, and with two versions (chance 1/2)
    the test is McNemar's exact test, one-sided. The least p is the product of the chances.
    """
    if key.size == 0:
        none = np.zeros(0, dtype=np.int64)
        return Excess(none, none, NO_TESTS, none, NO_TESTS, NO_TESTS)
    order = np.argsort(key, kind="stable")
    key, chance, hit = key[order], chance[order], hit[order]
    first = np.flatnonzero(np.append(True, key[1:] != key[:-1]))
    ends = np.append(first[1:], key.size)
    count = np.add.reduceat(hit.astype(np.int64), first)
    expected = np.add.reduceat(chance, first)
    spread = np.sqrt(np.add.reduceat(chance * (1.0 - chance), first))
    log_least = np.add.reduceat(np.log(chance), first)
    p = np.ones(first.size)
    worth = (log_least <= np.log(LEVEL)) & (count - expected >= FAR_ENOUGH * spread)
    for at in np.flatnonzero(worth):
        p[at] = poisson_binomial_tail(chance[first[at] : ends[at]], int(count[at]))
    return Excess(key[first], count, expected, ends - first, p, log_least)


def poisson_binomial_tail(chance: Floats, count: int) -> float:
    """P(S >= count) for S the sum of independent hits with these chances, exactly.

    Equal chances are binomials, of which there are few, and these are convolved; the tail is a
    sum of positive terms, so that it keeps its digits however small it is.
    """
    mass = np.ones(1)
    for value, times in zip(*np.unique(chance, return_counts=True), strict=True):
        mass = np.convolve(mass, _binomial(int(times), float(value)))
    return float(min(1.0, mass[count:].sum()))


def _binomial(n: int, chance: float) -> Floats:
    k = np.arange(n + 1)
    ways = special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(n - k + 1)
    return np.asarray(np.exp(ways + k * np.log(chance) + (n - k) * np.log1p(-chance)))


def sign_test(above: Codes, below: Codes) -> tuple[Floats, Floats]:
    """Two-sided exact sign tests: p and log of the least p, (T,) each; ties are left out."""
    n = above + below
    low = np.minimum(above, below)
    tail = np.where(n > 0, special.bdtr(low.astype(np.float64), np.maximum(n, 1), 0.5), 1.0)
    return np.minimum(1.0, 2.0 * tail), np.minimum(0.0, (1.0 - n) * np.log(2.0))


def fisher_tail(drawn: int, marked: int, total: int, found: int) -> float:
    """P(X >= found), X the marked ones among `drawn` of `total` of which `marked` are marked."""
    k = np.arange(found, min(drawn, marked) + 1)
    return float(min(1.0, np.exp(_log_hypergeometric(drawn, marked, total, k)).sum()))


def fisher_log_least(drawn: Codes, marked: Codes, total: Codes) -> Floats:
    """(T,) log of the least p that Fisher's test can have with these margins, upper tail."""
    return _log_hypergeometric(drawn, marked, total, np.minimum(drawn, marked))


def _log_hypergeometric(
    drawn: Codes | int, marked: Codes | int, total: Codes | int, k: Codes
) -> Floats:
    def log_ways(n: Codes | int, m: Codes | int) -> Floats:
        n, m = np.asarray(n, dtype=np.float64), np.asarray(m, dtype=np.float64)
        ways = special.gammaln(n + 1) - special.gammaln(m + 1) - special.gammaln(n - m + 1)
        return np.asarray(ways, dtype=np.float64)

    total, marked, drawn = np.asarray(total), np.asarray(marked), np.asarray(drawn)
    possible = drawn - k <= total - marked
    rest = np.where(possible, drawn - k, 0)
    log_p = log_ways(marked, k) + log_ways(total - marked, rest) - log_ways(total, drawn)
    return np.asarray(np.where(possible, log_p, -np.inf), dtype=np.float64)
