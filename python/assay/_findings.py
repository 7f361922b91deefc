"""Judging histories, what was found, and evidence."""

import json
from ctypes import byref, c_void_p
from typing import NamedTuple, Optional

from assay._history import History
from assay._library import (FORMS, VERDICTS, Bytes, CClaim, CExplanation, CFinding, CLevel, Limits, check, lib, taken,
                            text)


class Finding(NamedTuple):
    level: str
    verdict: str  # "holds", "violated" or "undecided"
    anomaly: Optional[str]  # where it is violated: "write-skew"
    reason: Optional[str]  # why it is undecided
    seconds: float
    explanation: Optional[int]  # where it is violated: its place in Findings.explanations

    @staticmethod
    def _from(f):
        return Finding(text(f.level), VERDICTS[f.verdict], text(f.anomaly), text(f.reason), f.seconds,
                       None if f.explanation < 0 else f.explanation)


class Explanation(NamedTuple):
    """Why levels are violated."""

    levels: str  # "ser, si"
    anomaly: str
    title: str  # "Lost update on x"
    minimal: bool  # nothing can be left out of the part
    text: str  # the whole story
    data: dict  # the same as data; docs/report.md
    part: History  # the few transactions of the history that still violate the levels


class Claim(NamedTuple):
    level: str
    verdict: str
    skew: int


class Findings:
    """What was found out about a history: a sequence of Finding, in the order that was asked for."""

    def __init__(self, handle):
        self._handle = handle

    def __del__(self):
        if getattr(self, "_handle", None):
            lib.assay_findings_free(self._handle)
            self._handle = None

    def __len__(self):
        return lib.assay_findings_count(self._handle)

    def __getitem__(self, place):
        if isinstance(place, str):
            return next(finding for finding in self if finding.level == place)
        if not 0 <= place < len(self):
            raise IndexError(place)
        finding = CFinding()
        lib.assay_findings_get(self._handle, place, byref(finding))
        return Finding._from(finding)

    @property
    def refused(self):
        """Levels that this history cannot be judged at, with the reasons."""
        return {text(lib.assay_refused_level(self._handle, i)): text(lib.assay_refused_reason(self._handle, i))
                for i in range(lib.assay_refused_count(self._handle))}

    @property
    def notes(self):
        """What a reader of the verdicts should know."""
        return [text(lib.assay_note(self._handle, i)) for i in range(lib.assay_note_count(self._handle))]

    @property
    def explanations(self):
        return [self._explanation(i) for i in range(lib.assay_explanation_count(self._handle))]

    def text(self, full=False):
        return self.print("full-text" if full else "text")

    def to_dict(self):
        return json.loads(self.print("json"))

    def print(self, form):
        """In one of these forms: text, full-text, json, html, dot, junit."""
        return self._print(form, -1)

    def certificate(self):
        """The evidence for all verdicts, for assay.certify or `assay certify`."""
        data = Bytes()
        check(lib.assay_certificate, self._handle, byref(data))
        return taken(data).decode()

    def _print(self, form, explanation):
        if form not in FORMS:
            raise ValueError(f"a form is one of {', '.join(FORMS)}")
        data = Bytes()
        check(lib.assay_print, self._handle, FORMS.index(form), explanation, byref(data))
        return taken(data).decode()

    def _explanation(self, i):
        told, part = CExplanation(), c_void_p()
        lib.assay_explanation_get(self._handle, i, byref(told))
        check(lib.assay_explanation_part, self._handle, i, byref(part))
        return Explanation(text(told.levels), text(told.anomaly), text(told.title), bool(told.minimal),
                           self._print("full-text", i), json.loads(self._print("json", i)), History(part))


def judge(history, levels="ser", *, seconds_per_level=0, seconds=0, explain_seconds=0, megabytes=0, skew=0, threads=1,
          explain=True, on_progress=None, on_verdict=None):
    """Judges a history at levels: ids or names with commas between them, or "all".

    A limit of 0 is none; where one is reached, a level is "undecided". on_verdict(finding) is called as verdicts are
    found, on_progress(task, stage, done, total, seconds) about once in a millisecond. What they raise ends the
    judging and is raised again.
    """
    limits = Limits(on_progress, on_verdict, Finding._from, seconds_per_level=seconds_per_level, seconds=seconds,
                    explain_seconds=explain_seconds, megabytes=megabytes, skew=skew, threads=threads,
                    no_explanations=int(not explain))
    return Findings(limits.made_by(lib.assay_judge, lib.assay_findings_free, history._handle, levels.encode()))


def explain(findings):
    """The explanations of what is violated, each once."""
    return findings.explanations


def certify(history, certificate):
    """What the certificate shows of the history, checked by code that shares nothing with the search.

    Raises an Error that says why where it does not show it.
    """
    data = certificate.encode()
    handle = c_void_p()
    check(lib.assay_certify, history._handle, data, len(data), byref(handle))
    try:
        claims = []
        for i in range(lib.assay_claims_count(handle)):
            claim = CClaim()
            lib.assay_claims_get(handle, i, byref(claim))
            claims.append(Claim(text(claim.level), VERDICTS[claim.verdict], claim.skew))
        return claims
    finally:
        lib.assay_claims_free(handle)


def levels():
    """Every level: its id, name and definition."""
    found = []
    for i in range(lib.assay_level_count()):
        level = CLevel()
        lib.assay_level_get(i, byref(level))
        found.append((text(level.id), text(level.name), text(level.definition)))
    return found
