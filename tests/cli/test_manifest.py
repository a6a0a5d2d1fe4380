"""--manifest: what a release is and how it was made, beside it; signed if there is a key."""

import hashlib
import json

import pytest

from conftest import ROLES


@pytest.fixture
def signed(tada, people):
    tada("key", "-o", "secret.key")
    tada("anonymize", people, *ROLES, "-k", "5", "-o", "out.csv", "--manifest", "out.json", "--key", "secret.key")
    return tada("key", "secret.key").stdout.strip()


def changed(tada, change):
    manifest = json.loads((tada.folder / "out.json").read_text())
    change(manifest)
    (tada.folder / "out.json").write_text(json.dumps(manifest))


def test_it_says_what_the_release_is(tada, people):
    tada("anonymize", people, *ROLES, "-k", "5", "-o", "out.csv", "--manifest", "out.json")
    manifest = json.loads((tada.folder / "out.json").read_text())
    assert manifest["release"]["sha256"] == hashlib.sha256((tada.folder / "out.csv").read_bytes()).hexdigest()
    assert manifest["plan"]["sha256"] == hashlib.sha256(manifest["plan"]["toml"].encode()).hexdigest()
    assert len(manifest["binary"]["sha256"]) == 64 and manifest["verdict"]["passed"] and manifest["verdict"]["k"] >= 5
    assert "signature" not in manifest
    assert "not signed" in tada("audit", "out.csv", "--manifest", "out.json").stdout


def test_a_signed_one_is_verified_with_its_plan(tada, signed):
    assert signed in tada("audit", "out.csv", "--manifest", "out.json", "--public-key", signed).stdout
    secret = (tada.folder / "secret.key").read_text().splitlines()[1]
    assert secret not in (tada.folder / "out.json").read_text()


def test_another_file_fails(tada, signed):
    with (tada.folder / "out.csv").open("a") as file:
        file.write("\n")
    assert "not the file that was released" in tada("audit", "out.csv", "--manifest", "out.json", code=1).stdout


def test_a_changed_manifest_fails(tada, signed):
    changed(tada, lambda manifest: manifest["verdict"].update(k=manifest["verdict"]["k"] + 1))
    text = " ".join(tada("audit", "out.csv", "--manifest", "out.json", code=1).stdout.split())
    assert "signature does not hold" in text and "it says k=" in text


def test_a_changed_plan_fails(tada, signed):
    changed(tada, lambda manifest: manifest["plan"].update(toml=manifest["plan"]["toml"].replace("k = 5", "k = 4")))
    assert "plan was changed" in tada("audit", "out.csv", "--manifest", "out.json", code=1).stdout


def test_another_key_fails(tada, signed):
    tada("key", "-o", "other.key")
    other = tada("key", "other.key").stdout.strip()
    assert "another key" in tada("audit", "out.csv", "--manifest", "out.json", "--public-key", other, code=1).stdout
    changed(tada, lambda manifest: [manifest.pop(name) for name in ("signature", "public_key")])
    assert "not signed" in tada("audit", "out.csv", "--manifest", "out.json", "--public-key", signed, code=1).stdout


def test_wrong_usage(tada, people):
    tada("anonymize", people, *ROLES, "-o", "out.csv", "--key", "secret.key", code=2)
    tada("anonymize", people, *ROLES, "-o", "out.csv", "--manifest", "out.json", "--key", "gone.key", code=2)
    assert not (tada.folder / "out.csv").exists() and not (tada.folder / "out.json").exists() and tada.litter() == []
    tada.write("out.json", "{}")
    tada("anonymize", people, *ROLES, "-o", "out.csv", "--manifest", "out.json", code=5)
    tada("anonymize", people, *ROLES, "-o", "out.csv")
    tada("audit", "out.csv", "--manifest", "out.json", code=2)
    tada("audit", "out.csv", *ROLES, "--public-key", "ed25519:00", code=2)
