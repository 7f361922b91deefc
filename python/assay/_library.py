"""The C interface, as ctypes sees it: structs and functions of include/assay/assay_c.h, and errors as exceptions.

tests/api/abi_test.py holds the sizes of the structs against those that the compiler sees.
"""

import contextlib
import ctypes
import pathlib
import signal
import threading
from ctypes import (CFUNCTYPE, POINTER, Structure, byref, c_char_p, c_double, c_int, c_int32, c_int64, c_size_t, c_uint8,
                    c_uint32, c_uint64, c_void_p)

SONAME = "libassay.so.0"


def _load():
    """The library beside this file (build/python), that of an installation, or wherever the system finds it."""
    here = pathlib.Path(__file__).resolve().parent
    for path in (here / SONAME, here.parents[2] / SONAME):
        if path.exists():
            return ctypes.CDLL(str(path))
    return ctypes.CDLL(SONAME)


lib = _load()

OK, BAD_INPUT, MISUSE, STOPPED, NO_MEMORY, REFUTED, UNCHECKED, DEFECT = range(8)
VERDICTS = ("holds", "violated", "undecided")
OUTCOMES = ("committed", "aborted", "unknown")
OPERATIONS = ("read", "write", "append", "list-read", "one-of", "insert", "delete", "scan", "select", "update",
              "update-maybe")
FORMS = ("text", "full-text", "json", "html", "dot", "junit")
NULL, BOOLEAN, INTEGER, NUMBER, STRING, ROW = range(6)


class CError(Structure):
    _fields_ = [("status", c_int), ("message", c_char_p), ("what", c_char_p), ("remedy", c_char_p), ("file", c_char_p),
                ("place", c_char_p)]


class Bytes(Structure):
    _fields_ = [("data", c_void_p), ("size", c_size_t)]


class Progress(Structure):
    _fields_ = [("task", c_char_p), ("stage", c_char_p), ("done", c_uint64), ("total", c_uint64), ("seconds", c_double)]


class CFinding(Structure):
    _fields_ = [("level", c_char_p), ("verdict", c_int), ("anomaly", c_char_p), ("reason", c_char_p),
                ("seconds", c_double), ("explanation", c_int64)]


ON_PROGRESS = CFUNCTYPE(c_int, POINTER(Progress), c_void_p)
ON_VERDICT = CFUNCTYPE(None, POINTER(CFinding), c_void_p)


class Options(Structure):
    _fields_ = [("size", c_size_t), ("seconds_per_level", c_double), ("seconds", c_double),
                ("explain_seconds", c_double), ("megabytes", c_uint64), ("skew", c_int64), ("threads", c_uint32),
                ("no_explanations", c_int32), ("on_progress", ON_PROGRESS), ("on_verdict", ON_VERDICT),
                ("user", c_void_p)]


class Counts(Structure):
    _fields_ = [("sessions", c_uint64), ("transactions", c_uint64), ("operations", c_uint64), ("keys", c_uint64)]


class Field(Structure):
    pass


class Value(Structure):
    _fields_ = [("kind", c_int), ("integer", c_int64), ("text", c_char_p), ("fields", POINTER(Field)),
                ("size", c_size_t)]


Field._fields_ = [("column", c_char_p), ("value", Value)]


class Row(Structure):
    _fields_ = [("key", Value), ("value", Value)]


class PredicateNode(Structure):
    _fields_ = [("operation", c_char_p), ("operands", c_uint32), ("column", c_char_p), ("constant", Value)]


class Operation(Structure):
    _fields_ = [("kind", c_int), ("met_row", c_int), ("key", Value), ("value", Value), ("low", Value), ("high", Value),
                ("values", POINTER(Value)), ("value_count", c_size_t), ("rows", POINTER(Row)), ("row_count", c_size_t),
                ("predicate", POINTER(PredicateNode)), ("predicate_count", c_size_t), ("changed", POINTER(c_uint64))]


class Transaction(Structure):
    _fields_ = [("session", Value), ("name", Value), ("outcome", c_int), ("begin", POINTER(c_int64)),
                ("began", POINTER(c_int64)), ("committing", POINTER(c_int64)), ("end", POINTER(c_int64))]


class Columns(Structure):
    _fields_ = [("transactions", c_size_t), ("operations", c_size_t), ("elements", c_size_t), ("session", c_void_p),
                ("operations_end", c_void_p), ("outcome", c_void_p), ("begin", c_void_p), ("end", c_void_p),
                ("kind", c_void_p), ("key", c_void_p), ("value", c_void_p), ("is_null", c_void_p),
                ("element", c_void_p)]


class CExplanation(Structure):
    _fields_ = [("levels", c_char_p), ("anomaly", c_char_p), ("title", c_char_p), ("minimal", c_int32)]


class CClaim(Structure):
    _fields_ = [("level", c_char_p), ("verdict", c_int), ("skew", c_int64)]


class CLevel(Structure):
    _fields_ = [("id", c_char_p), ("name", c_char_p), ("definition", c_char_p), ("needs_clocks", c_int32)]


class CFormat(Structure):
    _fields_ = [("id", c_char_p), ("description", c_char_p), ("can_be_written", c_int32)]


def _declare():
    handle, out, error = c_void_p, POINTER(c_void_p), POINTER(POINTER(CError))
    calls = {
        "version": (c_char_p,), "commit": (c_char_p,), "version_number": (c_int32,),
        "error_free": (None, POINTER(CError)), "bytes_free": (None, POINTER(Bytes)),
        "read_file": (c_int, c_char_p, c_char_p, POINTER(Options), out, error),
        "read_bytes": (c_int, c_void_p, c_size_t, c_char_p, POINTER(Options), out, error),
        "write_file": (c_int, handle, c_char_p, c_char_p, c_int, POINTER(Bytes), error),
        "write_bytes": (c_int, handle, c_char_p, c_int, POINTER(Bytes), POINTER(Bytes), error),
        "history_counts": (Counts, handle), "history_format": (c_char_p, handle), "history_free": (None, handle),
        "builder_new": (handle,), "builder_free": (None, handle),
        "builder_set_initial": (c_int, handle, POINTER(Value), POINTER(Value), error),
        "builder_add": (c_int, handle, POINTER(Operation), error),
        "builder_finish": (c_int, handle, POINTER(Transaction), error),
        "builder_add_columns": (c_int, handle, POINTER(Columns), error),
        "builder_build": (c_int, handle, c_char_p, out, error),
        "judge": (c_int, handle, c_char_p, POINTER(Options), out, error),
        "findings_free": (None, handle), "findings_count": (c_size_t, handle),
        "findings_get": (c_int, handle, c_size_t, POINTER(CFinding)),
        "refused_count": (c_size_t, handle), "refused_level": (c_char_p, handle, c_size_t),
        "refused_reason": (c_char_p, handle, c_size_t),
        "note_count": (c_size_t, handle), "note": (c_char_p, handle, c_size_t),
        "explanation_count": (c_size_t, handle),
        "explanation_get": (c_int, handle, c_size_t, POINTER(CExplanation)),
        "explanation_part": (c_int, handle, c_size_t, out, error),
        "print": (c_int, handle, c_int, c_int64, POINTER(Bytes), error),
        "certificate": (c_int, handle, POINTER(Bytes), error),
        "certify": (c_int, handle, c_char_p, c_size_t, out, error),
        "claims_free": (None, handle), "claims_count": (c_size_t, handle),
        "claims_get": (c_int, handle, c_size_t, POINTER(CClaim)),
        "level_count": (c_size_t,), "level_get": (c_int, c_size_t, POINTER(CLevel)),
        "format_count": (c_size_t,), "format_get": (c_int, c_size_t, POINTER(CFormat)),
    }
    for name, (result, *arguments) in calls.items():
        function = getattr(lib, "assay_" + name)
        function.restype, function.argtypes = result, arguments


_declare()


class Error(Exception):
    """What is wrong (`what`), where (`file`, `place`) and what to do about it (`remedy`); in one line as text."""

    def __init__(self, message, what="", remedy="", file="", place=""):
        super().__init__(message)
        self.what, self.remedy, self.file, self.place = what, remedy, file, place


class Stopped(Error):
    """A limit was reached while a history was read."""


class Refuted(Error):
    """A certificate does not show what it claims."""


class Unchecked(Error):
    """A certificate could not be checked, or says nothing about this history."""


def text(value):
    return None if value is None else value.decode()


def check(function, *arguments):
    """Calls a function whose last parameter is an error, and raises what it reports."""
    error = POINTER(CError)()
    status = function(*arguments, byref(error))
    if status == OK:
        return
    try:
        e = error.contents
        kind = {STOPPED: Stopped, REFUTED: Refuted, UNCHECKED: Unchecked}.get(status, Error)
        if status == NO_MEMORY:
            raise MemoryError(text(e.message))
        raise kind(text(e.message), text(e.what), text(e.remedy), text(e.file), text(e.place))
    finally:
        lib.assay_error_free(error)


def taken(data):
    """The bytes of an assay_bytes, which is freed."""
    try:
        return ctypes.string_at(data.data, data.size) if data.size else b""
    finally:
        lib.assay_bytes_free(byref(data))


class Limits:
    """The options of a call. What a callback raises ends the call and is raised again after it; so does Ctrl-C."""

    def __init__(self, on_progress=None, on_verdict=None, finding=None, **limits):
        self.raised = None
        self._shows, self._tells, self._finding = on_progress, on_verdict, finding
        # Also without on_progress: Python sees to Ctrl-C only while it runs.
        self._callbacks = ON_PROGRESS(self._show), ON_VERDICT(self._tell)
        self.options = Options(size=ctypes.sizeof(Options), on_progress=self._callbacks[0], **limits)
        if on_verdict is not None:
            self.options.on_verdict = self._callbacks[1]

    def _show(self, progress, _):
        def show():
            p = progress.contents
            self._shows(text(p.task), text(p.stage), p.done, p.total, p.seconds)

        if self._shows is not None:
            self._guard(show)
        return 0 if self.raised is None else 1

    def _tell(self, finding, _):
        self._guard(lambda: self._tells(self._finding(finding.contents)))

    def _guard(self, call):
        if self.raised is not None:
            return
        try:
            call()
        except BaseException as problem:  # pylint: disable=broad-except
            self.raised = problem

    def made_by(self, function, free, *arguments):
        """The handle that the call made. Options and the place of the handle are added to the arguments."""
        handle = c_void_p()
        try:
            with self._signals():
                check(function, *arguments, byref(self.options), byref(handle))
            if self.raised is not None:
                raise self.raised
        except BaseException:
            free(handle)
            raise
        return handle

    # Python runs the handler of a signal when a callback begins, where ctypes would swallow what it raises.
    @contextlib.contextmanager
    def _signals(self):
        before = signal.getsignal(signal.SIGINT)
        if not callable(before) or threading.current_thread() is not threading.main_thread():
            yield
            return
        signal.signal(signal.SIGINT, lambda number, frame: self._guard(lambda: before(number, frame)))
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)


def version():
    return lib.assay_version().decode()


def commit():
    return lib.assay_commit().decode()
