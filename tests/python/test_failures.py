"""What goes wrong, and what is said about it; stopping."""

import os
import signal
import subprocess
import sys
import textwrap
import time

import pytest

from frames import LARGE_ROLES, large, people, roles  # noqa: F401 - fixtures

tada = pytest.importorskip("tada")
pa = pytest.importorskip("pyarrow")


def test_an_unknown_column_is_named_with_the_nearest(people):
    with pytest.raises(tada.UsageError, match="agee") as caught:
        tada.anonymize(people, quasi=["agee"], k=2)
    assert "age" in caught.value.hint and "--" not in str(caught.value)


@pytest.mark.parametrize(
    "arguments", [{"k": 0}, {"method": "no"}, {"l": 2}, {"sensitive": "age"}, {"task": "no"}, {"cells": "no"}, {"keep_order": 1}, {"k": [1, 2]}]
)
def test_wrong_arguments_are_usage_errors(people, arguments):
    with pytest.raises(tada.UsageError):
        tada.anonymize(people, **{"quasi": ["age", "state"], "k": 2, **arguments})


def test_an_unknown_argument_is_refused_with_the_nearest(people):
    with pytest.raises(tada.UsageError, match="seed"):
        tada.anonymize(people, quasi=["age"], k=2, sed=3)


def test_an_option_that_is_a_word_of_python_has_an_underscore():
    from tada._options import python_name

    assert python_name("from") == "from_" and python_name("min-k") == "min_k"


def test_a_value_out_of_range_names_the_option(people):
    with pytest.raises(tada.UsageError, match=r"label.share"):
        tada.anonymize(people, quasi=["age"], label="job", method="target_weighted", k=2, label_share=7)


def test_nothing_to_anonymize_by_is_a_usage_error(people):
    with pytest.raises(tada.UsageError, match="quasi"):
        tada.anonymize(people, k=2)


def test_too_few_rows_are_infeasible(people):
    with pytest.raises(tada.InfeasibleError, match="10") as caught:
        tada.anonymize(people, quasi=["age"], k=11)
    assert isinstance(caught.value, ValueError) and isinstance(caught.value, tada.TadaError)


def test_an_empty_table_is_infeasible(people):
    with pytest.raises(tada.InfeasibleError):
        tada.anonymize(people.slice(0, 0), quasi=["age"], k=2)


def test_what_is_no_frame_is_a_usage_error():
    with pytest.raises(tada.UsageError, match="list"):
        tada.anonymize([1, 2, 3], quasi=["age"])


def test_a_column_is_no_table(people):
    with pytest.raises(tada.DataError):
        tada.anonymize(people["age"], quasi=["age"], k=2)


def test_a_column_is_no_release(people):
    pandas = pytest.importorskip("pandas")
    for column in (people["age"], pandas.Series([1, 2, 3])):
        with pytest.raises(tada.DataError, match="as a table"):
            tada.read_release(column)


def test_a_dictionary_is_no_list_of_columns(people):
    with pytest.raises(tada.UsageError, match="quasi cannot be a dictionary") as caught:
        tada.anonymize(people, quasi={"age": "categorical"}, k=2)
    assert "suffix" in caught.value.hint
    for option, words in {"hierarchy": '["age=width:10"]', "missing": '["", "NA"]'}.items():
        with pytest.raises(tada.UsageError, match=f"{option} cannot be a dictionary") as caught:
            tada.anonymize(people, quasi=["age"], k=2, **{option: {"age": "width:10"}})
        assert words in caught.value.hint


def test_names_of_columns_are_not_taken_for_options(people):
    with pytest.raises(tada.UsageError) as raised:
        tada.anonymize(people, quasi=["--nonsense"], k=2)
    assert "quasi= names a column" in str(raised.value) and "--nonsense" in str(raised.value)


def test_messages_name_arguments_of_python_with_their_values(people):
    for options, words in (
        ({"safe": 2, "k": 3}, "safe=2 is below k=3"),
        ({"range": "cut", "method": "dop"}, "range='cut': the groups of method dop"),
        ({"l": 2}, "l= needs sensitive=: "),
        ({"domain": ["state=0..120"]}, "domain= says where boxes of cuts end, and needs range='cut'"),
        ({"person": "age", "keep": "age"}, r"names people \(person=\), and is never released: keep= would release it"),
    ):
        with pytest.raises(tada.UsageError, match=words) as raised:
            tada.anonymize(people, quasi=["state"], **options)
        assert "--" not in str(raised.value) and "\ue000" not in str(raised.value)


def test_warnings_name_arguments_of_python(people):
    said = tada.anonymize(people, quasi=["state"], k=2, method="optimal", minimize="label").warnings
    assert any(warning.startswith("minimize='label'") for warning in said)
    with pytest.warns(UserWarning, match="name the column in quasi="):
        tada.decode(pa.table({"band": ["18-24", "25-34"] * 5}))


def test_the_number_of_an_error_is_the_systems(people, roles, tmp_path):
    import errno
    import pickle

    release = tada.anonymize(people, **roles)
    release.write(tmp_path / "out.parquet")
    for target, number in ((tmp_path / "out.parquet", errno.EEXIST), (tmp_path / "nowhere" / "out.parquet", errno.ENOENT)):
        with pytest.raises(tada.OutputError) as caught:
            release.write(target)
        for error in (caught.value, pickle.loads(pickle.dumps(caught.value))):
            assert (error.errno, error.strerror) == (number, os.strerror(number))
            assert str(error) == str(caught.value) and str(error).startswith(error.message) and error.hint in str(error)
    with pytest.raises(tada.OutputError) as caught:
        release.write(tmp_path / "nowhere" / "out.csv")  # the engine's own words
    assert caught.value.errno is None and caught.value.strerror is None and str(caught.value).startswith("Cannot write")


def test_a_column_name_twice_is_a_data_error(people):
    with pytest.raises(tada.DataError, match="two columns have the name 'age'"):
        tada.read_release(people.rename_columns(["name", "age", "age", "income", "job"]))
    with pytest.raises(tada.DataError, match="age"):
        tada.anonymize(people.rename_columns(["name", "age", "age", "income", "job"]), quasi=["age"], k=2)


def test_a_type_without_texts_is_a_data_error(people):
    frame = people.append_column("blob", pa.array([b"x"] * 10))
    with pytest.raises(tada.DataError, match="blob"):
        tada.anonymize(frame, quasi=["age"], keep="blob", k=2)
    assert tada.anonymize(frame, quasi=["age"], k=2)  # not asked for, not in the way


def test_a_text_that_is_not_utf8_is_a_data_error():
    array = pa.array([b"a", b"\xff", b"a", b"b"]).view(pa.string())
    with pytest.raises(tada.DataError, match="UTF-8"):
        tada.anonymize(pa.table({"x": array}), quasi=["x"], k=2)


def test_a_damaged_dictionary_is_a_data_error():
    array = pa.DictionaryArray.from_arrays(pa.array([0, 7, 0, 0], pa.int8()), pa.array(["a", "b"]), safe=False)
    with pytest.raises(tada.DataError):
        tada.anonymize(pa.table({"x": array}), quasi=["x"], k=2)


def test_a_stream_that_fails_is_a_data_error(people):
    def batches():
        yield from people.to_batches()
        raise RuntimeError("secret")

    def reader():
        return pa.RecordBatchReader.from_batches(people.schema, batches())

    for call in (
        lambda: tada.anonymize(reader(), quasi=["age"], k=2),
        lambda: tada.compose(people, reader(), quasi=["age"], k=2),
        lambda: tada.advise(reader(), label="job"),
        lambda: tada.read_release(reader()),
    ):
        with pytest.raises(tada.DataError, match=r"reader of .* failed: RuntimeError") as caught:
            call()
        for words in ("secret", "Traceback", ".py", "\n"):
            assert words not in str(caught.value)


class Frame:
    """Hands over whatever it is told to."""

    def __init__(self, hand_over):
        self.hand_over = hand_over

    def __arrow_c_stream__(self, requested_schema=None):
        return self.hand_over()


def fail(error):
    raise error


CALLS = {
    "anonymize": lambda frame: tada.anonymize(frame, quasi=["age"], k=2),
    "audit": lambda frame: tada.audit(frame, quasi=["age"], k=2),
    "advise": lambda frame: tada.advise(frame, label="age"),
    "read_release": lambda frame: tada.read_release(frame),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_frame_that_fails_is_a_data_error(call):
    duckdb = pytest.importorskip("duckdb")
    rows = duckdb.sql("select case when i = 50 then 'secret' else i::varchar end as age from range(5000) r(i)")
    failing = {
        "ConversionException": duckdb.sql("select age::int as age from rows"),
        "RuntimeError": Frame(lambda: fail(RuntimeError("secret"))),
        "int": Frame(lambda: 3),
    }
    assert rows is not None  # DuckDB finds it by name
    for words, frame in failing.items():
        with pytest.raises(tada.DataError, match=words) as caught:
            call(frame)
        assert "secret" not in str(caught.value) and caught.value.__suppress_context__ | (caught.value.__context__ is None)
    for error in (KeyboardInterrupt, MemoryError):
        with pytest.raises(error):
            call(Frame(lambda error=error: fail(error())))
    with pytest.raises(tada.UsageError, match="is a type"):
        call(pa.Table)


def test_a_frame_that_fails_late_tells_no_cells():
    duckdb = pytest.importorskip("duckdb")
    rows = duckdb.sql("select case when i = 499999 then 'secret' else i::varchar end as age from range(500000) r(i)")
    with pytest.raises(tada.DataError, match=r"Cannot read the release as a table|failed to hand over") as caught:
        tada.read_release(duckdb.sql("select age::int as age from rows"))
    assert rows is not None and "secret" not in str(caught.value)


def test_texts_of_arrow_that_are_none_are_data_errors():
    pytest.importorskip("sklearn")
    import tada.sklearn

    texts = pa.array([b"a", b"\xff"]).view(pa.string())
    lists = pa.ListArray.from_arrays([0, 1, 2], texts)
    words = pa.DictionaryArray.from_arrays(pa.array([0, 1], pa.int8()), texts)
    for column in (texts, lists, words):
        for call in (tada.read_release, tada.sklearn.ReleaseEncoder().fit):
            with pytest.raises(tada.DataError, match="column x: a text is not UTF-8"):
                call(pa.table({"x": column}))


def test_halves_of_characters_are_refused(people, tmp_path):
    pandas = pytest.importorskip("pandas")
    half = "\ud800"
    frame = pandas.DataFrame([[1]], columns=pandas.Index([half], dtype=object))
    for call in (
        lambda: tada.anonymize(people, quasi=[half], k=2),
        lambda: tada.anonymize(people, quasi=["age"], k=2, plan=tmp_path / half),
        lambda: tada.anonymize(tmp_path / f"{half}.csv", quasi=["age"], k=2),
        lambda: tada.attack(tmp_path / f"{half}.csv", people, quasi=["age"]),
        lambda: tada.anonymize(frame, quasi=["age"], k=1),
        lambda: tada.read_release(frame),
    ):
        with pytest.raises(tada.UsageError, match=r"halves of characters|cannot be read"):
            call()
    cells = pandas.DataFrame({"x": pandas.Series([half, frozenset("ab")], dtype=object)})
    with pytest.raises(tada.DataError, match="column x"):
        tada.read_release(cells)


@pytest.mark.parametrize("text", ["", "a,b\n1\n", "a,a\n1,2\n3,4\n"])
def test_damaged_files_are_data_errors(tmp_path, text):
    (tmp_path / "x.csv").write_text(text)
    with pytest.raises(tada.DataError):
        tada.anonymize(tmp_path / "x.csv", quasi=["a"], k=1)


def test_a_file_that_is_not_there_is_a_data_error(tmp_path):
    for name in ["x.csv", "x.parquet", "x.arrow"]:
        with pytest.raises(tada.DataError):
            tada.anonymize(tmp_path / name, quasi=["a"], k=1)
    with pytest.raises(tada.UsageError):
        tada.anonymize(tmp_path / "x.xls", quasi=["a"], k=1)


@pytest.mark.parametrize("extension", ["csv", "parquet", "arrow"])
def test_writing_never_overwrites_silently(people, roles, tmp_path, extension):
    release = tada.anonymize(people, **roles)
    target = tmp_path / f"out.{extension}"
    target.write_text("old")
    with pytest.raises(tada.OutputError):
        release.write(target)
    assert target.read_text() == "old"
    release.write(target, force=True)
    assert os.listdir(tmp_path) == [target.name]
    with pytest.raises(tada.OutputError, match=f"Cannot write .*nowhere/out.{extension}: ") as caught:
        release.write(tmp_path / "nowhere" / f"out.{extension}")
    assert "Make the folder" in caught.value.hint and ".tada-" not in str(caught.value)


def test_progress_comes_on_the_calling_thread(large):
    import threading

    seen = []
    tada.anonymize(large, **LARGE_ROLES, progress=lambda stage, done, total, words: seen.append((threading.get_ident(), stage)))
    assert {"read", "audit"} <= {stage for _, stage in seen}
    assert {thread for thread, _ in seen} == {threading.get_ident()}


def test_an_error_of_the_listener_stops_the_work(large):
    def listener(*_):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        tada.anonymize(large, **LARGE_ROLES, progress=listener)


def test_tqdm_shows_progress(people, roles):
    pytest.importorskip("tqdm")
    assert tada.anonymize(people, **roles, progress=True)


def test_control_c_stops_within_a_second(tmp_path):
    program = textwrap.dedent(
        """
        import random, signal, sys, time
        import pyarrow as pa, tada
        draw = random.Random(1)
        n = 300_000
        frame = pa.table({f"c{i}": [draw.random() for _ in range(n)] for i in range(6)})
        print("ready", flush=True)
        try:
            while True:
                tada.anonymize(frame, quasi=frame.column_names, k=2)
        except KeyboardInterrupt:
            print("stopped", flush=True)
        """
    )
    # A shell starts what it runs in the background deaf to Ctrl-C, and this may be one of those.
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)
    )
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.5)
    start = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=30)
    assert out == "stopped\n" and process.returncode == 0
    assert time.monotonic() - start < 4  # one second on a machine that does nothing else


def test_other_threads_run_while_the_engine_works(large):
    import threading

    ticks, stop = [], threading.Event()

    def tick():
        while not stop.wait(0.001):
            ticks.append(1)

    thread = threading.Thread(target=tick)
    thread.start()
    for _ in range(5):
        tada.anonymize(large, **LARGE_ROLES)
    stop.set()
    thread.join()
    assert len(ticks) > 5


def test_a_stream_that_fails_late_tells_no_cell():
    duckdb = pytest.importorskip("duckdb")
    base = duckdb.connect()
    base.execute("create table t as select i a, case when i=290000 then 'SECRET-CELL' else i::varchar end s from range(300000) r(i)")
    for call in (lambda f: tada.audit(f, quasi=["a"], k=2), lambda f: tada.anonymize(f, quasi=["a", "s"], k=2), tada.inspect,
                 lambda f: tada.attack(f, original=f, quasi=["a"])):  # fmt: skip
        with pytest.raises(tada.DataError) as caught:
            call(base.sql("select a, s::int s from t"))
        assert "SECRET" not in str(caught.value) and caught.value.__cause__ is None
