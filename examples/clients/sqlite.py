#!/usr/bin/env python3
"""A client of Assay for SQLite (docs/client-protocol.md): copy it and put your database in the place of this one.

    assay client-test 'python3 examples/clients/sqlite.py'
    assay run --client 'python3 examples/clients/sqlite.py'

Each session is a process of its own. All sessions of a run are told the same directory; the database is a file there.
"""

import json
import sqlite3
import sys


class Session:
    def hello(self, request):
        path = request["directory"] + "/data.sqlite"
        self.database = sqlite3.connect(path, timeout=5, isolation_level=None)
        self.database.execute("PRAGMA journal_mode = wal")
        self.database.execute("PRAGMA synchronous = off")
        return {
            "protocol": 1,
            "database": "SQLite " + sqlite3.sqlite_version + " from Python",
            "isolation": ["serializable"],
            "claims": {"serializable": "ser"},
            "data": ["registers", "lists"],
        }

    # The tables of a run, without anything of the run before.
    def setup(self, request):
        self.database.execute("DROP TABLE IF EXISTS data")
        kind = "TEXT" if request["data"] == "lists" else "INTEGER"
        self.database.execute(f"CREATE TABLE data (k INTEGER PRIMARY KEY, v {kind})")

    def teardown(self, request):
        self.database.execute("DROP TABLE IF EXISTS data")

    def begin(self, request):
        self.database.execute("BEGIN")

    def commit(self, request):
        self.database.execute("COMMIT")

    def rollback(self, request):
        self.database.execute("ROLLBACK")

    def value(self, key):
        row = self.database.execute("SELECT v FROM data WHERE k = ?", (key,)).fetchone()
        return None if row is None else row[0]

    # A key that nobody wrote holds 0, a list that nobody appended to is empty.
    def read(self, request):
        return {"value": self.value(request["key"]) or 0}

    def write(self, request):
        self.database.execute(
            "INSERT INTO data VALUES (?, ?) ON CONFLICT (k) DO UPDATE SET v = excluded.v",
            (request["key"], request["value"]),
        )

    def read_list(self, request):
        return {"value": json.loads("[" + (self.value(request["key"]) or "") + "]")}

    def append(self, request):
        self.database.execute(
            "INSERT INTO data VALUES (?, ?) ON CONFLICT (k) DO UPDATE SET v = v || ',' || excluded.v",
            (request["key"], str(request["value"])),
        )

    operations = {
        "hello": hello,
        "setup": setup,
        "teardown": teardown,
        "begin": begin,
        "commit": commit,
        "rollback": rollback,
        "read": read,
        "write": write,
        "read-list": read_list,
        "append": append,
    }

    def answer(self, request):
        operation = self.operations.get(request["op"])
        if operation is None:
            return {"ok": False, "outcome": "fatal", "error": "unknown operation " + request["op"]}
        try:
            return {"ok": True, **(operation(self, request) or {})}
        except sqlite3.OperationalError as problem:
            # Somebody else has the lock, or wrote since our snapshot. Anything else is nobody's fault but ours.
            if "locked" not in str(problem):
                return {"ok": False, "outcome": "fatal", "error": str(problem)}
            if self.database.in_transaction:
                self.database.execute("ROLLBACK")
            return {"ok": False, "outcome": "aborted", "error": str(problem)}


def main():
    session = Session()
    for line in sys.stdin:
        request = json.loads(line)
        # An answer leaves at once: nobody asks again before it came.
        print(json.dumps({"id": request["id"], **session.answer(request)}), flush=True)


if __name__ == "__main__":
    main()
