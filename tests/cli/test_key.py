"""tada key: a secret file, and its public half."""

import os
import stat


def test_a_key_is_made_for_its_owner_alone(tada):
    os.umask(0)
    try:
        made = tada("key", "-o", "secret.key")
    finally:
        os.umask(0o022)
    path = tada.folder / "secret.key"
    secret = path.read_text().splitlines()[1]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert len(secret) == 64 and secret not in made.stdout + made.stderr
    public = tada("key", "secret.key").stdout.strip()
    assert public.startswith("ed25519:") and public in made.stdout
    assert tada.litter() == []


def test_two_keys_differ(tada):
    tada("key", "-o", "a.key")
    tada("key", "-o", "b.key")
    assert tada("key", "a.key").stdout != tada("key", "b.key").stdout


def test_a_key_is_never_overwritten_nor_printed(tada):
    tada("key", "-o", "secret.key")
    before = (tada.folder / "secret.key").read_bytes()
    error = tada("key", "-o", "secret.key", code=5).stderr
    assert "never overwritten" in error and "--force" not in error
    assert (tada.folder / "secret.key").read_bytes() == before
    assert "never printed" in tada("key", "-o", "-", code=2).stderr


def test_what_is_no_key_is_said(tada):
    tada("key", code=2)
    tada.write("note.txt", "hello\n").chmod(0o600)
    assert "No secret key" in tada("key", "note.txt", code=2).stderr
    tada("key", "-o", "secret.key")
    (tada.folder / "secret.key").chmod(0o644)
    assert "chmod 600" in tada("key", "secret.key", code=2).stderr
    assert "No such file" in tada("key", "gone.key", code=2).stderr
