import pytest

from tests.models import tiny
from toposcope.models.scope import Scope


@pytest.fixture(scope="module")
def scope():
    """With a pooler of its own, which nothing we read depends on."""
    return Scope(tiny.build(tiny.ENCODERS["bert"]), tiny.wordpieces(), name="tiny")
