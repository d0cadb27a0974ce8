"""What the README shows does run."""

import re
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest

import toposcope as ts

README = Path(__file__).parents[1] / "README.md"


@pytest.mark.real
def test_python_of_the_readme_runs():
    blocks = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, str(README), "exec"), {})
    plt.close("all")


def test_error_of_the_readme_is_the_real_one():
    maps = np.full((2, 3, 5, 5), 0.2)
    maps[1, 2, 3, 4] = -0.25
    with pytest.raises(ts.InputError) as error:
        ts.h0_sum(maps)
    shown = re.search(r"InputError: (.*)", README.read_text(encoding="utf-8")).group(1)
    assert str(error.value).startswith(shown)
