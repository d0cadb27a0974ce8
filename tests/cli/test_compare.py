"""``toposcope compare``: in words, in JSON, in a picture."""

import json
import shutil

from tests.cli.verbs import fails, run
from toposcope.weights import cache

TWO = ("the old cat sleeps.", "the old dog sleeps.")


def test_two_sentences_are_compared(toy, tmp_path):
    picture = tmp_path / "two.svg"
    heads = ["--heads", toy / "weighted.json", "--heads", toy / "ensemble.json"]
    shown = run("compare", *TWO, "-m", toy / "model", *heads, "--draw", picture)
    assert shown.exit_code == 0, shown.stderr
    assert shown.stdout.startswith(f"a  {TWO[0]}   preferred\nb  {TWO[1]}\n")
    for part in ("topology, weighted", "h0m, ensemble", "rtd, all heads", "matched for RTD; upper graph"):
        assert part in shown.stdout
    assert f"wrote {picture}" in shown.stderr
    assert "<svg" in picture.read_text()
    told = json.loads(run("compare", *TWO, "-m", toy / "model", *heads, "--json").stdout)
    assert (told["a"], told["preferred"]) == (TWO[0], "a")
    assert [o["name"] for o in told["opinions"]][:2] == ["topology, weighted", "h0m, ensemble"]
    assert len(told["heads"]) == 12


def test_what_cannot_be_compared(toy):
    model = ["-m", toy / "model"]
    assert "two.bmp: accepted are names that end in .svg, .png, .pdf" in fails(
        "compare", *TWO, "--draw", "two.bmp"
    )
    assert "match='lax': accepted are align, head, tail" in fails("compare", *TWO, *model, "--match", "lax")
    assert "there is no selection 'none'" in fails("compare", *TWO, *model, "--heads", "none")
    for text in ("", "\u200b", "..."):
        assert f"{text!r} cannot be judged: it has no words" in fails("compare", text, "x.", *model)
        assert f"{text!r} cannot be judged: it has no words" in fails("compare", "x.", text, *model)
    assert "A tie." in run("compare", TWO[0], TWO[0], *model).stdout


def test_altered_weights_of_the_cache_give_no_answer(toy, tmp_path, monkeypatch):
    monkeypatch.setenv("TOPOSCOPE_HOME", str(tmp_path))

    def fill(folder, work):
        shutil.copytree(toy / "model", folder, dirs_exist_ok=True)

    weights = cache.store("org/toy", fill, {}, 0) / "model.safetensors"
    assert run("compare", *TWO, "-m", "org/toy").exit_code == 0
    content = weights.read_bytes()
    for altered in (content[:-1] + bytes([content[-1] ^ 1]), content[:-1]):
        weights.write_bytes(altered)
        result = run("compare", *TWO, "-m", "org/toy")
        assert (result.exit_code, result.stdout) == (1, "")
        assert "model.safetensors altered" in result.stderr
        assert "`toposcope models remove org/toy`, then `toposcope models pull org/toy`" in result.stderr
