"""The compiled engine. Not for users: `tada` wraps it."""

from typing import Protocol, TypedDict

__version__: str

class Progress(Protocol):
    def __call__(self, stage: str, done: int, total: int, words: str, /) -> object: ...

class OptionEntry(TypedDict):
    name: str
    type: str
    default: str
    help: str
    section: str
    choices: list[str]
    methods: list[str]

class MethodEntry(TypedDict):
    name: str
    maturity: str
    summary: str
    tasks: list[str]
    options: list[OptionEntry]

class Release:
    @property
    def passed(self) -> bool: ...
    @property
    def problems(self) -> list[str]: ...
    @property
    def warnings(self) -> list[str]: ...
    @property
    def row_order(self) -> list[int]: ...
    @property
    def sample(self) -> list[list[str]]: ...
    def stream(self) -> object: ...
    def report_json(self, raw: bool = True) -> str: ...
    def report_html(self, raw: bool = True) -> str: ...
    def verdict_json(self) -> str: ...
    def plan_toml(self) -> str: ...
    def write_csv(self, path: str, delimiter: str, force: bool, progress: Progress | None) -> None: ...

def release(
    stream: object,
    options: dict[str, list[str]],
    plan: str | None,
    name: str,
    format: str,
    untyped: bool,
    progress: Progress | None,
) -> Release: ...
def audit(
    stream: object,
    original: object | None,
    options: dict[str, list[str]],
    plan: str | None,
    name: str,
    original_name: str,
    progress: Progress | None,
) -> str: ...
def decode(
    stream: object,
    learn_from: object | None,
    options: dict[str, list[str]],
    plan: str | None,
    name: str,
    untyped: bool,
    progress: Progress | None,
) -> tuple[object, str]: ...
def inspect(
    stream: object, options: dict[str, list[str]], name: str, progress: Progress | None
) -> tuple[str, str]: ...
def command(
    name: str, operands: list[str], options: dict[str, list[str]], frames: dict[str, object], progress: Progress | None
) -> tuple[int, str]: ...
def program(arguments: list[str]) -> int: ...
def options(command: str) -> list[OptionEntry]: ...
def methods() -> list[MethodEntry]: ...
