"""Builds a history operation by operation, and one of arrays of numbers."""

import array

import assay

b = assay.Builder(initial=0)
b.read("x", 0).write("x", 1).finish(session="Ann")
b.read("x", 0).write("x", 2).finish(session="Bob")
history = b.build()
print(history.to_list()[1])
print(assay.judge(history, "si")["si"].anomaly)
print(assay.History.from_list(history.to_list()))

large = assay.History.from_columns(
    session=array.array("q", range(10)) * 1000,  # by transaction
    operations_end=array.array("Q", range(2, 20001, 2)),
    kind=bytes([1, 1]) * 10000,  # by operation: two writes in each
    key=array.array("q", range(100)) * 200,
    value=array.array("q", range(20000)),
)
print(large)
print(assay.judge(large, "rc")["rc"].verdict)
