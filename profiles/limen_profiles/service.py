"""The profile as the daemon and the command line see it: there or not, locked or open.

Nothing here blocks a detection: `judge` and `status` answer at once in every state, and a profile that
cannot be opened is a state with a reason, not a crash.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

from keyring.backend import KeyringBackend

from limen_profiles.boundary.meanings import Embed
from limen_profiles.boundary.state import UserState
from limen_profiles.erasure import Erased, erase
from limen_profiles.errors import (
    KeyMissing,
    KeyringRefused,
    KeyringTimeout,
    NoKeyHolder,
    NoKeyring,
    NotConfirmed,
    ProfileError,
    ProfileExists,
    ProfileLocked,
    ProfileOff,
    StoreFailed,
    WrongPassphrase,
)
from limen_profiles.identity import Identity, read_identity
from limen_profiles.judging import default_boundary
from limen_profiles.keys import (
    HolderKind,
    KeyFileHolder,
    KeyHolder,
    KeyringHolder,
    MemoryHolder,
    PassphraseHolder,
    find_keyring,
)
from limen_profiles.paths import ProfilePaths
from limen_profiles.prediction import PredictorFactory
from limen_profiles.private_files import make_private_folder
from limen_profiles.profile import Profile
from limen_profiles.records import Boundary, Context, Exposure, Record
from limen_profiles.vault import Vault, profile_exists

Mode = Literal["on", "locked", "off", "paused"]


class ProfileStatus(Record):
    """`problem` and `advice`: why the profile is locked or off, as an error code and a sentence."""

    mode: Mode
    paused_until: int | None = None
    holder: HolderKind | None = None
    problem: str | None = None
    advice: str | None = None


def now_ms() -> int:
    return time.time_ns() // 1_000_000


class ProfileService:
    """One profile folder. `start` it once, `close` it once (idempotent). May be used from any thread.

    `keyring` is for callers that bring their own backend; by default the system's is looked for.
    `on_change` is called, in whatever thread did it, when the profile was opened, locked or erased.
    """

    on_change: Callable[[], None] | None = None

    def __init__(
        self,
        paths: ProfilePaths | None = None,
        *,
        keyring: Callable[[], KeyringBackend] = find_keyring,
        clock_ms: Callable[[], int] = now_ms,
        make_predictor: PredictorFactory = UserState,
    ) -> None:
        self.paths = paths or ProfilePaths.default()
        self._keyring = keyring
        self._clock_ms = clock_ms
        self._make_predictor = make_predictor
        self._lifecycle = threading.RLock()  # invariant: one of start, init, unlock, erase, close at a time
        self._profile: Profile | None = None
        self._embed: Embed | None = None
        self._fault: ProfileError = ProfileOff()
        self._holder: HolderKind | None = None

    @property
    def find_keyring(self) -> Callable[[], KeyringBackend]:
        """How this profile looks for the system's keyring."""
        return self._keyring

    def start(self, *, may_create: bool = False) -> ProfileStatus:
        """Open the profile if that needs nobody's help; never raises a `ProfileError`. Blocking (keyring).

        `may_create`: where there is none, start one whose key is in the system's keyring. Without a keyring,
        and after an erasure, the profile stays off and the status says what to do.
        """
        with self._lifecycle:
            try:
                self._open(passphrase=None)
            except ProfileOff as error:
                self._fault = error
                if may_create and not self.paths.turned_off.exists():
                    self._create_unasked()
            except ProfileError as error:
                self._fault = error
            return self.status()

    def init(
        self, holder: HolderKind, *, passphrase: str | None = None, key_file: Path | None = None
    ) -> ProfileStatus:
        """Start a profile with the holder chosen by the user. Blocking.

        Raises: ProfileExists, NoKeyring, WeakPassphrase, KeyFault, StoreError.
        """
        with self._lifecycle:
            if self._profile is not None or profile_exists(self.paths):
                raise ProfileExists
            if holder == "key_file":
                key_file = (key_file or self.paths.default_key_file).expanduser().absolute()
            identity = Identity.new(holder, key_file if holder == "key_file" else None)
            try:
                make_private_folder(self.paths.folder)
                vault = Vault.create(self.paths, identity, self._new_holder(identity, passphrase))
            except OSError:
                raise StoreFailed("The profile's folder cannot be made or written there.") from None
            self._holder = holder
            self.paths.turned_off.unlink(missing_ok=True)
            self._profile = self._opened(vault)
            self._changed()
            return self.status()

    def unlock(self, passphrase: str | None = None) -> ProfileStatus:
        """Open a locked profile: with its passphrase, or by asking its keyring or key file again. Blocking.

        Raises: ProfileOff, WrongPassphrase, KeyFault, StoreError.
        """
        with self._lifecycle:
            if self._profile is None:
                try:
                    self._open(passphrase)
                except WrongPassphrase:
                    raise
                except ProfileError as error:
                    self._fault = error
                    raise
            return self.status()

    def use_encoder(self, embed: Embed | None) -> None:
        """Lend the profile a sentence encoder, now and whenever it opens; None takes it back. Blocking."""
        with self._lifecycle:
            self._embed = embed
            if self._profile is not None:
                self._profile.use_encoder(embed)

    def lock(self) -> None:
        """Close the profile and forget its key; `unlock` opens it again."""
        with self._lifecycle:
            if self._profile is not None:
                self._profile.close()
                self._profile = None
                self._fault = ProfileLocked()
                self._changed()

    def profile(self) -> Profile:
        """The opened profile. Raises: ProfileOff, ProfileLocked, or why it could not be opened."""
        profile = self._profile
        if profile is None:
            raise self._fault
        return profile

    def status(self) -> ProfileStatus:
        profile = self._profile
        if profile is None:
            fault = self._fault
            mode: Mode = "off" if isinstance(fault, ProfileOff) else "locked"
            holder_kind = self._holder if mode == "locked" else None
            return ProfileStatus(mode=mode, holder=holder_kind, problem=fault.code, advice=str(fault))
        holder = profile.vault.holder.kind
        if profile.is_paused():
            return ProfileStatus(mode="paused", paused_until=profile.settings().paused_until, holder=holder)
        return ProfileStatus(mode="on", holder=holder)

    def judge(self, exposures: Sequence[Exposure], context: Context) -> list[Boundary]:
        """One boundary for each exposure, in order; the default ones when there is no open profile."""
        profile = self._profile
        if profile is None:
            return [default_boundary(exposure) for exposure in exposures]
        return profile.judge(exposures, context)

    def rotate(self, *, new_passphrase: str | None = None) -> None:
        """Change the profile's key, and its passphrase if one is given.

        Raises: ProfileLocked, WeakPassphrase, KeyFault, StoreError. The profile may then be locked; `unlock`
        finds the key that fits.
        """
        with self._lifecycle:
            profile = self.profile()
            holder = profile.vault.holder
            if new_passphrase is not None:
                if not isinstance(holder, PassphraseHolder):
                    raise NotConfirmed("This profile has no passphrase to change.")
                holder.change_passphrase(new_passphrase)
            try:
                profile.rotate()
            except ProfileError as error:
                if not profile.vault.is_open:
                    profile.use_encoder(None)
                    self._profile = None
                    self._fault = error
                raise

    def erase(self, *, confirm: str) -> Erased:
        """Delete the key, then every file.

        Raises: NotConfirmed unless `confirm` is the word "erase", StoreBusy.
        """
        if confirm != "erase":
            raise NotConfirmed("Erasing cannot be undone. Confirm with the word: erase")
        with self._lifecycle:
            erased = erase(self.paths, self._profile.vault if self._profile else None, self._keyring)
            if self._profile is not None:
                self._profile.use_encoder(None)
                self._profile = None
            self._fault = ProfileOff()
            make_private_folder(self.paths.folder)
            self.paths.turned_off.touch(mode=0o600)
            self._changed()
            return erased

    def close(self) -> None:
        with self._lifecycle:
            if self._profile is not None:
                self._profile.close()
                self._profile = None
            self._fault = ProfileOff("The profile was closed.")

    def _create_unasked(self) -> None:
        try:
            self.init("keyring")
        except (NoKeyring, KeyringTimeout, KeyringRefused):
            self._fault = NoKeyHolder()
        except ProfileError as error:
            self._fault = error

    def _open(self, passphrase: str | None) -> None:
        try:
            self._open_there(passphrase)
        except OSError:
            raise StoreFailed("The profile's folder cannot be read or written. Is it yours?") from None

    def _open_there(self, passphrase: str | None) -> None:
        identity = read_identity(self.paths.identity)
        if identity is None:
            if profile_exists(self.paths):
                raise KeyMissing(
                    "The profile's identity file is missing, so nothing tells where its key is. "
                    "Put it back, or run `limen profile erase` to start anew."
                )
            raise ProfileOff
        self._holder = identity.holder
        if identity.holder == "memory":
            # What this identity stands for was forgotten when its process ended.
            vault = Vault.create(self.paths, Identity.new("memory"), MemoryHolder())
        else:
            if not profile_exists(self.paths):
                raise ProfileOff
            vault = Vault.open(self.paths, identity, self._held(identity, passphrase))
        self._profile = self._opened(vault)
        self._changed()

    def _changed(self) -> None:
        if self.on_change is not None:
            self.on_change()

    def _opened(self, vault: Vault) -> Profile:
        try:
            profile = Profile(vault, clock_ms=self._clock_ms, make_predictor=self._make_predictor)
        except BaseException:
            vault.close()
            raise
        if self._embed is not None:
            profile.use_encoder(self._embed)
        return profile

    def _new_holder(self, identity: Identity, passphrase: str | None) -> KeyHolder:
        if identity.holder == "passphrase":
            return PassphraseHolder.create(self.paths.wrapped_key, passphrase or "")
        return self._held(identity, None)

    def _held(self, identity: Identity, passphrase: str | None) -> KeyHolder:
        if identity.holder == "keyring":
            return KeyringHolder(identity.profile_id, self._keyring())
        if identity.holder == "key_file":
            path = identity.key_file or self.paths.default_key_file
            return KeyFileHolder(path, profile_folder=self.paths.folder)
        if identity.holder == "memory":
            return MemoryHolder()
        if passphrase is None:
            raise ProfileLocked
        return PassphraseHolder.unlock(self.paths.wrapped_key, passphrase)
