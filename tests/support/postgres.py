"""A real PostgreSQL server for tests, where its programs are installed."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Any

PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
INITDB = PROGRAMS[-1].with_name("initdb") if PROGRAMS else shutil.which("initdb")
POSTGRES = PROGRAMS[-1] if PROGRAMS else shutil.which("postgres")


class Postgres:
    """A server in a temporary folder, which can be stopped and started again.

    It listens at a socket in its folder only. PostgreSQL does not run as root, so as root its
    processes belong to the user postgres or nobody.
    """

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="wordkin-postgres-"))
        self._identity: dict[str, Any] = {}
        if os.getuid() == 0:
            names = {entry.pw_name for entry in pwd.getpwall()}
            owner = pwd.getpwnam("postgres" if "postgres" in names else "nobody")
            os.chown(self.folder, owner.pw_uid, owner.pw_gid)
            self._identity = {"user": owner.pw_uid, "group": owner.pw_gid, "extra_groups": []}
        self.data = self.folder / "data"
        command = [str(INITDB), "-D", str(self.data), "-U", "wordkin", "-A", "trust", "-N"]
        self._run([*command, "-E", "UTF8", "--locale", "C"])
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The address of the server's database."""
        return f"postgresql://wordkin@/postgres?host={self.folder}"

    def _run(self, command: list[str]) -> None:
        subprocess.run(command, check=True, capture_output=True, cwd=self.folder, **self._identity)

    def start(self) -> None:
        """Start the server and wait until it answers."""
        options = ["-D", str(self.data), "-k", str(self.folder), "-h", "", "-F"]
        self._process = subprocess.Popen(
            [str(POSTGRES), *options],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=self.folder,
            **self._identity,
        )
        import psycopg

        end = time.monotonic() + 30
        while True:
            try:
                psycopg.connect(self.url).close()
                return
            except psycopg.OperationalError:
                assert time.monotonic() < end, "PostgreSQL did not start"
                time.sleep(0.05)

    def stop(self) -> None:
        """Stop the server at once, as a crash of its machine would."""
        if self._process:
            self._process.send_signal(3)  # SIGQUIT: no clean shutdown
            self._process.wait()
            self._process = None

    def empty(self) -> None:
        """Remove all tables."""
        import psycopg

        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute("DROP SCHEMA public CASCADE")
            connection.execute("CREATE SCHEMA public")

    def __enter__(self) -> Postgres:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()
        shutil.rmtree(self.folder)
