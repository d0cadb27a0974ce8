"""AttentionTopology as scikit-learn wants it."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import estimator_checks

import toposcope as ts
from tests.models import tiny
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
    scope.model.save_pretrained(folder)
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


def test_clones_and_pickles_leave_the_model_behind(folder):
    topology = ts.AttentionTopology(folder, blocks=["h0m"]).fit(TEXTS)
    assert clone(topology).get_params() == topology.get_params()
    revived = pickle.loads(pickle.dumps(topology))
    assert len(pickle.dumps(topology)) < 5000
    with pytest.raises(NotFittedError):
        revived.transform(TEXTS)
    np.testing.assert_array_equal(revived.fit(TEXTS).transform(TEXTS), topology.transform(TEXTS))


@pytest.mark.parametrize("texts", ["one string", [1, 2], [["a", "b"]], [None]])
def test_what_is_no_list_of_texts_is_refused(scope, texts):
    with pytest.raises(ts.InputError):
        ts.AttentionTopology(scope, blocks=["h0m"]).fit_transform(texts)


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
