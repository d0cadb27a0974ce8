"""The Hugging Face hub as a source. HF_HOME, HF_ENDPOINT and HF_HUB_OFFLINE hold as everywhere.

Only JSON, text, tokenizer and safetensors files of a model's top folder are ever downloaded: no
pickle and no Python. A hub that does not answer is given up after seconds, once per process.
"""

from functools import cache
from pathlib import Path
from threading import Thread

from toposcope.errors import SourceError
from toposcope.progress import Progress, megabytes, silent
from toposcope.weights.folder import fault

WANTED = (".json", ".txt", ".model", ".safetensors")
VOCABULARIES = ("tokenizer.json", "vocab.txt", "vocab.json", "*.model")
PATIENCE = 3.0  # seconds for the hub to say anything at all
TIMEOUT = 10.0  # seconds without a byte, once it is known to be there


def snapshot(name: str) -> Path | None:
    """The folder of a model that is in the hub's cache on this disk and complete, or None."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    try:
        folder = Path(snapshot_download(name, local_files_only=True, allow_patterns=["config.json"]))
    except (LocalEntryNotFoundError, HFValidationError, OSError):
        return None
    with_vocabulary = any(any(folder.glob(pattern)) for pattern in VOCABULARIES)
    return folder if with_vocabulary and fault(folder) is None else None


def download(name: str, progress: Progress = silent) -> Path:
    """Bring a model's files into the hub's cache, with the hub's own bars, and return their folder."""
    if reason := unreachable():
        raise SourceError(reason)
    from huggingface_hub import HfApi, hf_hub_download

    try:
        told = HfApi().model_info(name, timeout=TIMEOUT, files_metadata=True).siblings or []
        sizes = {file.rfilename: file.size or 0 for file in told}
        wanted = [file for file in sizes if "/" not in file and file.endswith(WANTED)]
        if not any(file.endswith(".safetensors") for file in wanted):
            raise SourceError(f"the hub has no safetensors of {name}, and pickles are not read.")
        wanted.sort(key=lambda file: WANTED.index(Path(file).suffix))  # weights last: then all is there
        room = sum(sizes[file] for file in wanted)
        progress(f"downloading {name}{f' ({megabytes(room)} MB)' if room else ''}", 0, 0)
        for file in wanted:
            folder = Path(hf_hub_download(name, file, etag_timeout=TIMEOUT)).parent
    except SourceError:
        raise
    except Exception as error:  # of the hub's library, of its HTTP library, or of the disk
        raise SourceError(f"the hub did not give {name}: {_first_line(error)}.") from error
    if reason := fault(folder):
        raise SourceError(reason)
    return folder


@cache
def unreachable() -> str | None:
    """Why the hub cannot be asked, or None if it can; found out once per process.

    The question is put in a thread of its own, because looking up a host name knows no time limit.
    """
    from huggingface_hub import constants, get_session, is_offline_mode

    if is_offline_mode():
        return "HF_HUB_OFFLINE is set, so the hub is not asked."
    answer = [f"nothing came within {PATIENCE:.0f} s"]

    def ask() -> None:
        try:
            get_session().head(constants.ENDPOINT, timeout=PATIENCE)
            answer.clear()
        except Exception as error:  # whatever it is, the hub is out of reach
            answer[0] = _first_line(error)

    asking = Thread(target=ask, daemon=True)
    asking.start()
    asking.join(PATIENCE)
    return f"the hub ({constants.ENDPOINT}) cannot be reached: {answer[0]}." if answer else None


def _first_line(error: BaseException) -> str:
    text = str(error).strip().splitlines()
    return text[0].rstrip(".") if text else type(error).__name__
