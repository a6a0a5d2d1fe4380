"""tada hierarchy check says where a value stands, and shows it on request only."""


def test_values_of_the_table_are_shown_on_request(tada):
    tada.write("h.csv", "secretly;letters;*\nopenly;letters;*\n")
    tada.write("v.csv", "v\nsecretly\nopenly\n")
    words = ["hierarchy", "check", "h.csv", "v.csv", "--column", "v"]
    shown = tada(*words).stdout
    assert "secretly" not in shown and "letters" in shown and "--show-values" in shown
    assert "secretly" in tada(*words, "--show-values").stdout


def test_a_column_without_values_has_no_hierarchy(tada):
    tada.write("m.csv", "age,x\n,1\n?,2\n")
    for builder in ([], ["--builder", "flat"], ["--builder", "width:10"]):
        failed = tada("hierarchy", "build", "m.csv", "--column", "age", *builder, "-o", "h.csv", code=3)
        assert "column=age" in failed.stderr
        assert not (tada.folder / "h.csv").exists()
