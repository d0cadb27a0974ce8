"""``reproduce table2 --model`` on a folder in RoBERTa's format: byte-level BPE, <s>, shifted positions."""

import json

import pytest
import torch
import transformers as hf
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
from typer.testing import CliRunner

from tests.experiments.toys import pairs_of, write_pairs
from tests.models.tiny import SMALL, build
from toposcope.cli import app
from toposcope.experiments.data import model_results
from toposcope.experiments.ways import LENGTH, STATES, ways_of
from toposcope.models.load import load

SPECIAL = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]


def byte_level_bpe(texts):
    """A tokenizer as RoBERTa's: a blank is part of the next piece, <s> and </s> around a text."""
    backend = Tokenizer(models.BPE())
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    backend.train_from_iterator(
        texts, trainers.BpeTrainer(vocab_size=300, special_tokens=SPECIAL, initial_alphabet=alphabet)
    )
    backend.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), add_prefix_space=False)
    return hf.PreTrainedTokenizerFast(
        tokenizer_object=backend, model_max_length=40, bos_token="<s>", cls_token="<s>", eos_token="</s>",
        sep_token="</s>", pad_token="<pad>", unk_token="<unk>", mask_token="<mask>",
    )  # fmt: skip


@pytest.fixture(scope="module")
def roberta(tmp_path_factory):
    """A folder with a tiny random model, as the hub has them."""
    folder = tmp_path_factory.mktemp("hub") / "roberta-base"
    tokenizer = byte_level_bpe(pairs_of(6).good)
    config = hf.RobertaConfig(
        **{**SMALL, "vocab_size": len(tokenizer), "max_position_embeddings": 42}, pad_token_id=1,
        bos_token_id=0, eos_token_id=2, type_vocab_size=1,
    )  # fmt: skip
    build(lambda: hf.RobertaForMaskedLM(config)).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    assert json.loads((folder / "config.json").read_text())["model_type"] == "roberta"
    return folder


def test_attention_is_what_transformers_reports(roberta):
    scope = load(str(roberta), engine="torch")
    maps = load(str(roberta)).attention("the cat is red .")
    assert (maps.tokens.pieces[0], maps.tokens.pieces[-1]) == ("<s>", "</s>")
    assert any(piece.startswith("Ġ") for piece in maps.tokens.pieces)
    with torch.no_grad():
        ids = torch.tensor([maps.tokens.ids])
        found = scope.engine.model.roberta(input_ids=ids, output_attentions=True)
    torch.testing.assert_close(torch.tensor(maps.array), torch.cat(found.attentions), atol=1e-6, rtol=0)


def test_the_command_of_the_page_gives_its_section(roberta, tmp_path, monkeypatch):
    """Beside RoBERTa's own published rows; of the ways as many as the page needs."""
    kinds = {("topology", "weighted"), (STATES, "weighted"), ("rtd", "ensemble"), (LENGTH, "top")}
    few = [
        way for way in ways_of(brief=True)
        if (way.measure, way.method) in kinds and way.profile == "strict" and way.left_out != "paradigm"
    ]  # fmt: skip
    monkeypatch.setattr("toposcope.experiments.table2.ways_of", lambda brief, causal: few)
    write_pairs(pairs_of(2), tmp_path / "data" / "blimp" / "data")
    write_pairs(pairs_of(6, "a"), tmp_path / "data" / "blimp_aux")
    places = {name: str(tmp_path / name) for name in ("data", "work", "docs")}
    options = [word for name, place in places.items() for word in (f"--{name}", place)]
    run = CliRunner().invoke(app, ["reproduce", "table2", *options, "--model", str(roberta)])
    assert run.exit_code == 0, run.output
    (found,) = model_results(tmp_path / "docs")
    assert [one.way for one in found.ways] == few
    assert {one.scores.pairs for one in found.ways} == {24}
    (length,) = (one for one in found.ways if one.way.measure == LENGTH and not one.way.left_out)
    assert length.chosen in ("fewer tokens", "more tokens")
    page = (tmp_path / "docs" / "table2.md").read_text("utf-8")
    assert "Not run: no weights." not in page
    section = page.partition(f"## {roberta}\n")[2]
    assert "| *published: RoBERTa-base, RTD, ensemble* | *88.9* |" in section
    assert "BERT-base, RTD, ensemble" not in section.replace("RoBERTa-base", "")
