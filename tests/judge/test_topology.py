"""AttentionTopology as scikit-learn wants it."""

import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import joblib
import numpy as np
import pytest
from safetensors.torch import load_file, save_file
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import estimator_checks

import toposcope as ts
from tests.models import tiny
from toposcope.models import load as loading
from toposcope.models.scope import Scope

TEXTS = ["the cat sleeps.", "cat the sleeps.", "he is old.", "is old he.", "dogs bark!", "bark dogs!"] * 2
LABELS = [1, 0] * 6


@pytest.fixture(scope="module")
def scope():
    model = tiny.build(tiny.ENCODERS["bert"])
    return Scope(model, tiny.wordpieces())


@pytest.fixture(scope="module")
def folder(scope, tmp_path_factory):
    folder = tmp_path_factory.mktemp("model")
    scope.engine.model.save_pretrained(folder)
    scope.tokenizer.save_pretrained(folder)
    return str(folder)


def test_all_features_of_all_heads(scope):
    topology = ts.AttentionTopology(scope)
    values = topology.fit_transform(TEXTS)
    names = topology.get_feature_names_out()
    assert values.shape == (12, 3 * 4 * 57) == (12, len(names))
    assert values.dtype == np.float32
    maps = scope.attention(TEXTS[0])
    column = list(names).index("h0m.L2.H3")
    assert values[0, column] == pytest.approx(ts.h0_mean(maps)[2, 3], abs=1e-6)


def test_some_heads_and_blocks(scope):
    whole = ts.AttentionTopology(scope, blocks=["h0m", "pattern"]).fit(TEXTS)
    some = ts.AttentionTopology(scope, blocks=["h0m", "pattern"], heads=[(2, 1), (0, 0)]).fit(TEXTS)
    names = list(whole.get_feature_names_out())
    columns = [names.index(name) for name in some.get_feature_names_out()]
    assert some.get_feature_names_out()[0] == "h0m.L2.H1"
    np.testing.assert_allclose(some.transform(TEXTS), whole.transform(TEXTS)[:, columns], atol=1e-6)


def test_options_of_the_features(scope):
    topology = ts.AttentionTopology(scope, blocks=["threshold"], options={"thresholds": (0.3,)}).fit(TEXTS)
    assert topology.transform(TEXTS).shape == (12, 3 * 4 * 6)
    with pytest.raises(ts.InputError, match="Did you mean 'thresholds'"):
        ts.AttentionTopology(scope, options={"threshold": (0.3,)}).fit(TEXTS)


def test_in_a_pipeline_and_a_search(folder):
    pipeline = Pipeline(
        [
            ("tda", ts.AttentionTopology(folder, blocks=["h0m"])),
            ("scale", StandardScaler()),
            ("judge", LogisticRegression()),
        ]
    )
    grid = {"tda__blocks": [["h0m"], ["pattern"]], "judge__C": [0.1, 1.0]}
    search = GridSearchCV(pipeline, grid, cv=2).fit(TEXTS, LABELS)
    assert search.predict(TEXTS).shape == (12,)
    assert len(search.cv_results_["mean_test_score"]) == 4


def test_set_output_gives_names(scope):
    frame = ts.AttentionTopology(scope, blocks=["h0m"]).set_output(transform="pandas").fit_transform(TEXTS)
    assert list(frame.columns)[:2] == ["h0m.L0.H0", "h0m.L0.H1"]


@pytest.fixture
def moving(folder, tmp_path):
    """A copy of the model's folder, to be altered or moved."""
    return Path(shutil.copytree(folder, tmp_path / "model"))


def alter(folder):
    weights = load_file(folder / "model.safetensors")
    name = next(name for name in weights if "query.weight" in name)
    weights[name] = weights[name] + 1
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})


def test_clones_know_how_but_are_not_fitted(folder, scope):
    for model in (folder, scope):
        topology = ts.AttentionTopology(model, blocks=["h0m"]).fit(TEXTS)
        copy = clone(topology)
        assert copy.get_params() == topology.get_params()
        with pytest.raises(NotFittedError):
            copy.transform(TEXTS)
        np.testing.assert_array_equal(copy.fit_transform(TEXTS), topology.transform(TEXTS))


def test_an_unfitted_one_is_pickled_unfitted(folder):
    topology = ts.AttentionTopology(folder, blocks=["h0m"])
    revived = pickle.loads(pickle.dumps(topology))
    assert revived.get_params() == topology.get_params()
    with pytest.raises(NotFittedError):
        revived.transform(TEXTS)
    assert revived.fit_transform(TEXTS).shape == (12, 12)


def test_a_fitted_one_loads_its_model_when_it_is_needed(folder, monkeypatch):
    topology = ts.AttentionTopology(folder, blocks=["h0m"], heads=[(2, 1)]).fit(TEXTS)
    content = pickle.dumps(topology)
    assert len(content) < 5000
    monkeypatch.setattr(loading, "load", lambda *_, **__: pytest.fail("it is not needed yet"))
    revived = pickle.loads(content)
    assert list(revived.get_feature_names_out()) == ["h0m.L2.H1"]
    again = pickle.loads(pickle.dumps(revived))
    assert again.get_params() == revived.get_params() == topology.get_params()
    monkeypatch.undo()
    for one in (revived, again):
        np.testing.assert_array_equal(one.transform(TEXTS), topology.transform(TEXTS))
        assert one.scope_ is one.scope_


def test_a_whole_pipeline_goes_through_a_file_into_another_process(folder, tmp_path):
    steps = [("tda", ts.AttentionTopology(folder, blocks=["h0m"])), ("scale", StandardScaler())]
    pipeline = Pipeline([*steps, ("judge", LogisticRegression())]).fit(TEXTS, LABELS)
    joblib.dump(pipeline, tmp_path / "judge.joblib")
    said = pipeline.predict_proba(TEXTS)
    np.testing.assert_array_equal(joblib.load(tmp_path / "judge.joblib").predict_proba(TEXTS), said)
    code = (
        "import sys, joblib, numpy; pipeline = joblib.load(sys.argv[1]);"
        "numpy.save(sys.argv[2], pipeline.predict_proba(sys.argv[3:]))"
    )
    arguments = [tmp_path / "judge.joblib", tmp_path / "said.npy", *TEXTS]
    subprocess.run([sys.executable, "-c", code, *arguments], check=True)
    np.testing.assert_allclose(np.load(tmp_path / "said.npy"), said, atol=1e-5)


def test_other_weights_under_the_name_are_refused_until_it_is_fitted_again(moving):
    topology = ts.AttentionTopology(str(moving), blocks=["h0m"]).fit(TEXTS)
    revived = pickle.loads(pickle.dumps(topology))
    alter(moving)
    with pytest.raises(ts.ModelError, match=rf"pickled with weights \w{{12}} of {moving}.*set_params"):
        revived.transform(TEXTS)
    assert (revived.fit(TEXTS).transform(TEXTS) != topology.transform(TEXTS)).any()
    assert pickle.loads(pickle.dumps(revived)).transform(TEXTS).shape == (12, 12)


def test_a_model_that_moved_is_found_where_it_is_said_to_be(moving, scope):
    topology = ts.AttentionTopology(str(moving), blocks=["h0m"]).fit(TEXTS)
    revived = pickle.loads(pickle.dumps(topology))
    expected = topology.transform(TEXTS)
    moved = moving.rename(moving.with_name("moved"))
    with pytest.raises(ts.InputError, match="there is no folder"):
        revived.transform(TEXTS)
    found = revived.set_params(model=str(moved)).transform(TEXTS)  # by the light engine
    np.testing.assert_allclose(found, expected, atol=1e-6)
    held = pickle.loads(pickle.dumps(topology)).set_params(model=scope)
    np.testing.assert_allclose(held.transform(TEXTS), expected, atol=1e-6)


def test_relative_folders_are_found_from_elsewhere(moving, monkeypatch):
    monkeypatch.chdir(moving.parent)
    content = pickle.dumps(ts.AttentionTopology("model", blocks=["h0m"]).fit(TEXTS))
    monkeypatch.chdir("/")
    assert pickle.loads(content).transform(TEXTS).shape == (12, 12)


@pytest.mark.parametrize("fitted", [False, True])
def test_of_a_loaded_model_weights_and_settings_are_kept(moving, fitted):
    loaded = ts.load(moving, dtype="bfloat16", memory="3MB", long="windows", overlap=7)
    topology = ts.AttentionTopology(loaded, blocks=["h0m"])
    expected = clone(topology).fit(TEXTS).transform(long := [" ".join(TEXTS * 2)])
    if fitted:
        topology.fit(TEXTS)
    content = pickle.dumps(topology)
    revived = pickle.loads(content)
    assert revived.model == str(moving)
    if not fitted:
        revived.fit(TEXTS)
    np.testing.assert_array_equal(revived.transform(long), expected)
    assert (revived.scope_.dtype, revived.scope_.settings) == ("bfloat16", loaded.settings)
    alter(moving)
    for altered in (pickle.loads(content), pickle.loads(pickle.dumps(revived))):
        with pytest.raises(ts.ModelError, match="pickled with weights"):
            altered.fit(TEXTS)


def test_a_pickle_of_an_older_version_has_to_be_fitted(folder):
    topology = ts.AttentionTopology(folder, blocks=["h0m"]).fit(TEXTS)
    topology._scope = None  # it kept nothing of the model
    with pytest.raises(NotFittedError):
        topology.transform(TEXTS)
    assert topology.fit_transform(TEXTS).shape == (12, 12)


@pytest.mark.parametrize("texts", ["one string", [1, 2], [["a", "b"]], [None], [], None, 5])
def test_what_is_no_list_of_texts_is_refused(scope, texts):
    with pytest.raises(ts.InputError):
        ts.AttentionTopology(scope, blocks=["h0m"]).fit_transform(texts)
    with pytest.raises(ts.InputError):
        ts.AttentionTopology(scope, blocks=["h0m"]).fit(TEXTS).transform(texts)


def test_not_fitted(folder):
    with pytest.raises(NotFittedError):
        ts.AttentionTopology(folder).transform(TEXTS)


@pytest.mark.parametrize(
    "name",
    [
        "check_do_not_raise_errors_in_init_or_set_params",
        "check_estimator_cloneable",
        "check_estimator_repr",
        "check_estimator_tags_renamed",
        "check_estimators_unfitted",
        "check_get_feature_names_out_error",
        "check_get_params_invariance",
        "check_mixin_order",
        "check_no_attributes_set_in_init",
        "check_parameters_default_constructible",
        "check_set_params",
        "check_transformers_unfitted",
        "check_valid_tag_types",
    ],
)
def test_checks_of_scikit_learn_that_need_no_tables_of_numbers(name):
    getattr(estimator_checks, name)("AttentionTopology", ts.AttentionTopology())
