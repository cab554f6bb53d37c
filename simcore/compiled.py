"""How functions are compiled, and where the machine code is kept.

numba's on-disk cache looks only at the file in which a function stands. An edited helper in another file would leave the old machine code in use
without a word, so the folder of the cache is named by a hash of every source that a game is compiled from: change one and that game is compiled anew.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite
import numba
import platformdirs
from numba import njit, types
from numba.core import config, event
from numba.core.typing.templates import Signature
from numba.extending import intrinsic

import simcore.games

PACKAGE = Path(__file__).parent

# Integer arithmetic only, so this error model saves checks of divisions that never fail.
OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
# Inside a game nothing is allocated: without numba's run-time no references are counted either, which takes a third of the time.
INNER: dict[str, Any] = {**OPTIONS, "_nrt": False}


@cache
def source_hash(game: str = "") -> str:
    """Hash (16 hex digits) of the sources that a game is compiled from, and of the versions that compile them.

    These are all modules of the game's folder, whose constants reach the kernels, and the modules that games share and that speak of compiling.
    """
    shared = hash_of([file for file in PACKAGE.glob("*.py") if b"compiled" in file.read_bytes()], PACKAGE)
    folders = [Path(folder) / game for folder in simcore.games.__path__] if game else []
    own = [hash_of(folder.rglob("*.py"), folder) for folder in folders if folder.is_dir()]
    return hashlib.sha256("".join([shared, *own]).encode()).hexdigest()[:16]


def hash_of(files: Iterable[Path], root: Path) -> str:
    """Hash (16 hex digits) of the names and texts of ``files``, and of the versions of numba and llvmlite."""
    digest = hashlib.sha256(f"numba {numba.__version__} llvmlite {llvmlite.__version__}".encode())
    for file in sorted(files):
        digest.update(b"\0" + file.relative_to(root).as_posix().encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:16]


@cache
def cache_root() -> Path | None:
    """The folder under which machine code is kept, or None where no folder can be written to.

    ``NUMBA_CACHE_DIR`` if that is set, else the user's cache folder, else a private one among the temporary files.
    """
    wanted = os.environ.get("NUMBA_CACHE_DIR")
    private = Path(tempfile.gettempdir()) / f"simcore-cache-{os.getuid() if hasattr(os, 'getuid') else 'user'}"
    candidates = [Path(wanted)] if wanted else [Path(platformdirs.user_cache_dir("simcore", appauthor=False)), private]
    for folder in candidates:
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                return folder
        except OSError:
            continue
    return None


def cache_folder(game: str = "", key: str = "") -> Path | None:
    """Folder of the machine code made from the present sources of a game; ``key`` tells apart code from outside the package."""
    root = cache_root()
    return None if root is None else root / (source_hash(game) + (f"-{key}" if key else ""))


@contextmanager
def cached_in(folder: Path | None) -> Iterator[bool]:
    """Let functions that are decorated inside keep their machine code in ``folder``; yields whether they can.

    numba fixes the folder when a function is decorated, so its setting can be given back at once.
    """
    if folder is None:
        yield False
        return
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder)
    try:
        yield True
    finally:
        config.CACHE_DIR = before


def kernel(function: Callable[..., Any]) -> Any:
    """Compile an entry point: a function that Python calls. Its machine code, with all that it calls, is kept on disk."""
    _, _, inside = function.__module__.partition(".games.")
    with cached_in(cache_folder(inside.partition(".")[0])) as possible:
        return njit(cache=possible, **OPTIONS)(function)


def inner(function: Callable[..., Any]) -> Any:
    """Compile a function that only other compiled functions call in earnest; it is kept on disk as a part of them."""
    return _once_for_all_constants(njit(**INNER)(function))


def inlined(function: Callable[..., Any]) -> Any:
    """As `inner`, for a few lines on a hot path: the code is put in place of every call."""
    return _once_for_all_constants(njit(forceinline=True, **INNER)(function))


def _once_for_all_constants(dispatcher: Any) -> Any:
    """Numba compiles a function anew for each constant that it is called with; this way the constant is passed like any other value."""
    template = dispatcher.get_call_template
    dispatcher.get_call_template = lambda args, kws: template(tuple(map(types.unliteral, args)), kws)
    return dispatcher


class _Once(event.Listener):
    """Calls a function at the first event."""

    def __init__(self, tell: Callable[[], None]) -> None:
        self.tell: Callable[[], None] | None = tell

    def on_start(self, event: Any) -> None:
        if self.tell:
            self.tell()
        self.tell = None

    def on_end(self, event: Any) -> None:
        pass


def announced(tell: Callable[[], None]) -> AbstractContextManager[Any]:
    """Inside, ``tell`` is called before the first function is compiled; what is read from disk is not."""
    manager: AbstractContextManager[Any] = event.install_listener("numba:compile", _Once(tell))
    return manager


@intrinsic
def call_decision(typingctx: Any, address: Any, view: Any, rules: Any, params: Any, work: Any, move: Any) -> Any:
    """Call a strategy's compiled decision by its address (int64) with five records, any of them given by its address.

    Records travel as pointers, so the kernel is compiled once for all strategies: none of their types is its own.
    """
    signature: Signature = types.int64(address, view, rules, params, work, move)

    def codegen(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        from llvmlite import ir

        pointer = ir.IntType(8).as_pointer()
        records = [
            builder.inttoptr(value, pointer) if isinstance(kind, types.Integer) else builder.bitcast(value, pointer)
            for kind, value in zip(signature.args[1:], args[1:], strict=True)
        ]
        function_type = ir.FunctionType(ir.IntType(64), [pointer] * len(records))
        return builder.call(builder.inttoptr(args[0], function_type.as_pointer()), records)

    return signature, codegen
