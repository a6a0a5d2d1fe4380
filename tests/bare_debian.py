"""A bare Debian 12 in a folder, for tests of packages: a copy of the one that scripts/test_dist makes, entered by chroot."""

import contextlib
import os
import pathlib
import shutil
import stat
import subprocess

# What dpkg and ldconfig write about everything they do, whatever package it was.
BOOKS = ("/var/lib/dpkg/", "/var/lib/apt/", "/var/log/", "/var/cache/", "/etc/ld.so.cache")


class BareDebian:
    def __init__(self, folder: pathlib.Path):
        self.folder = folder
        self._mounted: list[pathlib.Path] = []
        subprocess.run(["cp", "-a", os.environ["TADA_BARE_DEBIAN"], folder], check=True)
        self._mount("-t", "proc", "proc", folder / "proc")

    def _mount(self, *arguments) -> None:
        subprocess.run(["mount", *map(str, arguments)], check=True)
        self._mounted.append(pathlib.Path(arguments[-1]))

    def enter(self, *command: str, user: str = "0:0") -> list[str]:
        """The command that runs another one in here."""
        clean = ["env", "-i", "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8", "HOME=/nonexistent"]
        return [*clean, "chroot", f"--userspec={user}", str(self.folder), *map(str, command)]

    def run(self, *command: str, user: str = "0:0", code: int = 0) -> str:
        done = subprocess.run(self.enter(*command, user=user), capture_output=True, text=True, stdin=subprocess.DEVNULL)
        assert done.returncode == code, f"{command}: exit {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done.stdout + done.stderr

    def read_only(self, *writable: str) -> None:
        """From now on nothing in here can be written but these folders, which are empty and gone at the end; as with docker run --read-only --tmpfs."""
        self._mount("--bind", self.folder, self.folder)
        self._mount("-t", "proc", "proc", self.folder / "proc")
        for place in writable:
            self._mount("-t", "tmpfs", "-o", "mode=1777", "tmpfs", self.folder / place.strip("/"))
        subprocess.run(["mount", "-o", "remount,bind,ro", str(self.folder)], check=True)

    def files(self) -> dict[str, str]:
        """Every file, folder and link, with what tells that it was changed."""
        found = {}
        for top, folders, names in os.walk(self.folder):
            inside = "/" + os.path.relpath(top, self.folder).removeprefix(".")
            if inside == "/":
                folders[:] = [name for name in folders if name != "proc"]
            for name in folders + names:
                path = inside.rstrip("/") + "/" + name
                state = os.lstat(os.path.join(top, name))
                if not path.startswith(BOOKS):
                    size = "" if stat.S_ISDIR(state.st_mode) else str(state.st_size)
                    found[path] = f"{state.st_mode:o} {state.st_uid} {size}"
        return found

    def close(self) -> None:
        for place in reversed(self._mounted):
            with contextlib.suppress(subprocess.CalledProcessError):
                subprocess.run(["umount", "-l", str(place)], check=True)
        assert not os.path.ismount(self.folder / "proc")
        shutil.rmtree(self.folder)
