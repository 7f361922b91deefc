"""Histories: read, built, written, and converted to and from Python's own lists and dicts."""

import ctypes
import json
import os
from ctypes import byref, c_void_p

from assay._library import (BOOLEAN, INTEGER, NULL, NUMBER, OPERATIONS, OUTCOMES, ROW, STRING, Bytes, CFormat, Columns,
                            Error, Field, Limits, Operation, PredicateNode, Row, Transaction, Value, check, lib, taken,
                            text)


def _bytes(value):
    return None if value is None else str(value).encode()


class History:
    """What the clients of a database did and saw. It never changes."""

    def __init__(self, handle):
        self._handle = handle

    def __del__(self):
        if getattr(self, "_handle", None):
            lib.assay_history_free(self._handle)
            self._handle = None

    def __repr__(self):
        return (f"<assay.History: {self.transactions} transactions of {self.sessions} sessions, "
                f"{self.operations} operations>")

    def __len__(self):
        return self.transactions

    sessions = property(lambda self: lib.assay_history_counts(self._handle).sessions)
    transactions = property(lambda self: lib.assay_history_counts(self._handle).transactions)
    operations = property(lambda self: lib.assay_history_counts(self._handle).operations)
    keys = property(lambda self: lib.assay_history_counts(self._handle).keys)
    format = property(lambda self: text(lib.assay_history_format(self._handle)), doc='An id; "" if it was built.')

    def write(self, path, format=None, lossy=False):
        """Writes a file; the format is that of its extension unless it is given. Returns what was left out."""
        left_out = Bytes()
        check(lib.assay_write_file, self._handle, os.fsencode(path), _bytes(format), int(lossy), byref(left_out))
        return taken(left_out).decode().splitlines()

    def to_bytes(self, format="jsonl", lossy=False):
        data = Bytes()
        check(lib.assay_write_bytes, self._handle, _bytes(format), int(lossy), byref(data), None)
        return taken(data)

    def to_list(self):
        """The header and each transaction as a dict, in the words of the native format (docs/formats.md)."""
        return [json.loads(line) for line in self.to_bytes().splitlines()]

    @staticmethod
    def from_list(transactions):
        """A history of such dicts. The header, {"assay": 1, "initial": 0}, may be missing."""
        lines = [json.dumps(each, ensure_ascii=False) for each in transactions]
        return parse("\n".join(lines), "jsonl")

    @staticmethod
    def from_columns(session, operations_end, kind, key, value, *, outcome=None, begin=None, end=None, is_null=None,
                     element=None, initial=None, name=None):
        """A history of arrays of numbers: array.array, numpy, or anything else with a buffer.

        By transaction: the number of its session, and where its operations end ("q" and "Q" of array, 8 bytes each);
        its outcome ("B": 0 committed, 1 aborted, 2 unknown), begin and end in nanoseconds ("q").
        By operation: its kind ("B": the place in assay.History.KINDS), key and value ("q"); is_null ("B"). The value
        of a list-read is how many of `element` ("q") it returned.
        """
        builder = Builder(initial)
        builder.add_columns(session, operations_end, kind, key, value, outcome=outcome, begin=begin, end=end,
                            is_null=is_null, element=element)
        return builder.build(name)

    KINDS = OPERATIONS[:7]


def read(path, format=None, *, on_progress=None, seconds=0, megabytes=0):
    """The history in a file or directory; its format is recognised by content unless it is given."""
    limits = Limits(on_progress, seconds=seconds, megabytes=megabytes)
    return History(limits.made_by(lib.assay_read_file, lib.assay_history_free, os.fsencode(path), _bytes(format)))


def parse(data, format=None, *, on_progress=None, seconds=0, megabytes=0):
    """The history in bytes, or in text."""
    data = data.encode() if isinstance(data, str) else bytes(data)
    limits = Limits(on_progress, seconds=seconds, megabytes=megabytes)
    return History(limits.made_by(lib.assay_read_bytes, lib.assay_history_free, data, len(data), _bytes(format)))


def formats():
    """Every format: its id, what it is, and whether histories can be written in it."""
    found = []
    for i in range(lib.assay_format_count()):
        row = CFormat()
        lib.assay_format_get(i, byref(row))
        found.append((text(row.id), text(row.description), bool(row.can_be_written)))
    return found


class Builder:
    """Builds a history, operation by operation or in columns.

        b = assay.Builder(initial=0)
        b.read("x", 0).write("x", 1).finish(session="Ann")
        history = b.build()

    Operations belong to the transaction that the next finish() closes. Keys are integers or strings; values are None,
    bool, int, float, str, or a dict of columns.
    """

    def __init__(self, initial=None):
        self._handle = lib.assay_builder_new()
        if not self._handle:
            raise MemoryError("there is not enough memory")
        if initial is not None:
            self._initial(None, initial)

    def __del__(self):
        if getattr(self, "_handle", None):
            lib.assay_builder_free(self._handle)
            self._handle = None

    def set_initial(self, key, value):
        """What the key starts with; every other one starts with the Builder's `initial`."""
        self._initial(key, value)
        return self

    def read(self, key, value):
        """What a read returned: a list is a read of a list."""
        if isinstance(value, (list, tuple)):
            return self._add(3, key=_value(key), **_many("values", "value_count", Value, map(_value, value)))
        return self._add(0, key=_value(key), value=_value(value))

    def write(self, key, value):
        return self._add(1, key=_value(key), value=_value(value))

    def append(self, key, element):
        return self._add(2, key=_value(key), value=_value(element))

    def read_one_of(self, key, values):
        return self._add(4, key=_value(key), **_many("values", "value_count", Value, map(_value, values)))

    def insert(self, key, value):
        return self._add(5, key=_value(key), value=_value(value))

    def delete(self, key, met_row=None):
        return self._add(6, key=_value(key), met_row={None: 0, True: 1, False: 2}[met_row])

    def scan(self, low, high, rows):
        """`rows`: pairs of key and value, or a dict."""
        return self._add(7, low=_value(low), high=_value(high), **_rows(rows))

    def select(self, predicate, rows):
        """`predicate`: as in docs/formats.md: ["and", ["=", "colour", "red"], ["<", "size", 7]]."""
        return self._add(8, **_predicate(predicate), **_rows(rows))

    def update(self, predicate, rows):
        return self._add(9, **_predicate(predicate), **_rows(rows))

    def update_maybe(self, predicate, rows, changed=None):
        count = {} if changed is None else {"changed": ctypes.pointer(ctypes.c_uint64(changed))}
        return self._add(10, **_predicate(predicate), **_rows(rows), **count)

    def finish(self, session, name=None, outcome="committed", begin=None, began=None, committing=None, end=None):
        if outcome not in OUTCOMES:
            raise ValueError(f"an outcome is one of {', '.join(OUTCOMES)}")
        instants = {"begin": begin, "began": began, "committing": committing, "end": end}
        given = {each: ctypes.pointer(ctypes.c_int64(at)) for each, at in instants.items() if at is not None}
        transaction = Transaction(session=_value(session), name=_value(name), outcome=OUTCOMES.index(outcome), **given)
        check(lib.assay_builder_finish, self._handle, byref(transaction))
        return self

    def add_columns(self, session, operations_end, kind, key, value, *, outcome=None, begin=None, end=None,
                    is_null=None, element=None):
        """Many transactions at once (History.from_columns)."""
        transactions, operations = len(session), len(kind)
        elements = 0 if element is None else len(element)
        kept = []  # alive as long as the call

        def column(numbers, size, count, what):
            if numbers is None:
                return None
            view = memoryview(numbers)
            if view.nbytes != size * count or not view.c_contiguous:
                raise ValueError(f"{what}: expected {count} numbers of {size} bytes each, one after the other")
            if view.readonly or not view.nbytes:
                holder = ctypes.create_string_buffer(view.tobytes(), max(view.nbytes, 1))
            else:
                holder = (ctypes.c_char * view.nbytes).from_buffer(numbers)
            kept.append(holder)
            return ctypes.addressof(holder)

        columns = Columns(
            transactions=transactions, operations=operations, elements=elements,
            session=column(session, 8, transactions, "session"),
            operations_end=column(operations_end, 8, transactions, "operations_end"),
            outcome=column(outcome, 1, transactions, "outcome"), begin=column(begin, 8, transactions, "begin"),
            end=column(end, 8, transactions, "end"), kind=column(kind, 1, operations, "kind"),
            key=column(key, 8, operations, "key"), value=column(value, 8, operations, "value"),
            is_null=column(is_null, 1, operations, "is_null"), element=column(element, 8, elements, "element"))
        check(lib.assay_builder_add_columns, self._handle, byref(columns))
        del kept
        return self

    def build(self, name=None):
        """The history of what was added; the builder is empty then. `name` is what messages call it."""
        handle = c_void_p()
        check(lib.assay_builder_build, self._handle, _bytes(name), byref(handle))
        return History(handle)

    def _add(self, kind, **members):
        check(lib.assay_builder_add, self._handle, byref(Operation(kind=kind, **members)))
        return self

    def _initial(self, key, value):
        of = None if key is None else byref(_value(key))
        check(lib.assay_builder_set_initial, self._handle, of, byref(_value(value)))


def _value(of):
    if of is None:
        return Value(kind=NULL)
    if isinstance(of, bool):
        return Value(kind=BOOLEAN, integer=of)
    if isinstance(of, int) and -(2**63) <= of < 2**63:
        return Value(kind=INTEGER, integer=of)
    if isinstance(of, (int, float)):
        number = json.dumps(of).encode()
        return Value(kind=NUMBER, text=number, size=len(number))
    if isinstance(of, str):
        characters = of.encode()
        return Value(kind=STRING, text=characters, size=len(characters))
    if isinstance(of, dict):
        fields = [Field(column=str(column).encode(), value=_value(value)) for column, value in of.items()]
        return Value(kind=ROW, fields=(Field * len(fields))(*fields), size=len(fields))
    raise TypeError(f"{of!r} is no value of a history")


def _many(pointer, count, kind, members):
    members = list(members)
    return {pointer: (kind * len(members))(*members), count: len(members)}


def _rows(rows):
    pairs = rows.items() if isinstance(rows, dict) else rows
    return _many("rows", "row_count", Row, (Row(key=_value(key), value=_value(value)) for key, value in pairs))


def _predicate(predicate):
    return _many("predicate", "predicate_count", PredicateNode, _nodes(predicate))


def _nodes(predicate):
    if not isinstance(predicate, (list, tuple)) or not predicate:
        raise Error(f"{predicate!r} is no predicate")
    operation, *operands = predicate
    if operation in ("and", "or", "not"):
        yield PredicateNode(operation=operation.encode(), operands=len(operands))
        for operand in operands:
            yield from _nodes(operand)
        return
    if not operands:
        raise Error(f"{predicate!r} names no column")
    column, *constants = operands
    if operation == "in" and len(constants) == 1 and isinstance(constants[0], (list, tuple)):
        constants = constants[0]
    yield PredicateNode(operation=str(operation).encode(), operands=len(constants), column=str(column).encode())
    for constant in constants:
        yield PredicateNode(constant=_value(constant))
