"""``python -m toposcope``."""

from toposcope.cli import app

if __name__ == "__main__":
    app(prog_name="toposcope")
