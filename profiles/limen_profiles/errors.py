"""Errors of the profile. No message ever contains a phrase, a value or a passphrase.

ProfileError
├── ProfileOff              there is no profile on this computer (or it was turned off)
│   └── NoKeyHolder         and none can be started without asking: there is no keyring
├── ProfileExists           `init` was asked for, but there is a profile already
├── ProfileLocked           the profile is there, its key is not available yet
│   └── WrongPassphrase
├── KeyFault                something about the key; the database was not touched
│   ├── NoKeyring           no keyring of the operating system can be used
│   ├── KeyringTimeout      the keyring did not answer (a prompt nobody saw?)
│   ├── KeyringRefused      the keyring answered with an error, or did not keep what was written
│   ├── KeyMissing          the profile exists, its key does not
│   ├── WrongKey            the key found is not the key of this profile
│   ├── KeyFileMissing
│   ├── KeyFileUnsafe       others may read the key file, or it lies beside the database
│   ├── SealDamaged         a wrapped key or a sealed export cannot be read
│   └── WeakPassphrase
├── StoreError              something about the database file; it was not changed
│   ├── NotEncrypted        the SQLite driver at hand would write in clear
│   ├── StoreDamaged
│   ├── StoreBusy           another process has it open
│   ├── StoreTooNew         written by a later version of Limen
│   ├── StoreClosed         used after `close()`
│   └── StoreFailed         the database refused a statement (disk full, read-only)
├── ExportError
│   ├── ExportExists        the target file is there already
│   └── ExportUnreadable    not an export of Limen, or of a later version
├── NotConfirmed            a destructive step was not confirmed in the words asked for
├── DecisionMissing         no decision has this id
├── RuleMissing             no rule has this id
├── SituationMissing        no calibration situation has this id
└── InvalidRequest          what came in does not fit the model
"""

from __future__ import annotations


class ProfileError(Exception):
    """Root of the profile's errors.

    `code` is stable and snake_case (clients switch on it), `status` is the HTTP status it maps to,
    `exit_code` what the command line ends with. `str(error)` is a sentence for the user.
    """

    code = "profile"
    status = 500
    exit_code = 1
    sentence = "The profile failed."

    def __init__(self, sentence: str | None = None) -> None:
        super().__init__(sentence or self.sentence)


class ProfileOff(ProfileError):
    code = "profile_off"
    status = 409
    sentence = "There is no profile on this computer. Run `limen profile init` to start one."


class NoKeyHolder(ProfileOff):
    code = "no_key_holder"
    sentence = (
        "The profile is off: no keyring of the operating system can be used, so its key has no safe place "
        "yet. Choose one: `limen profile init --passphrase`, `limen profile init --key-file PATH` "
        "or `limen profile init --memory`."
    )


class ProfileExists(ProfileError):
    code = "profile_exists"
    status = 409
    sentence = (
        "There is a profile already; it was left as it is. Run `limen profile erase` first to start anew."
    )


class ProfileLocked(ProfileError):
    code = "profile_locked"
    status = 423
    sentence = "The profile is locked. Run `limen profile unlock`."


class WrongPassphrase(ProfileLocked):
    code = "wrong_passphrase"
    status = 403
    sentence = "Wrong passphrase."


class KeyFault(ProfileError):
    code = "key"
    status = 423
    exit_code = 78


class NoKeyring(KeyFault):
    code = "no_keyring"
    sentence = (
        "No keyring of the operating system can be used here. Nothing was changed. Sign in to the desktop "
        "session whose keyring holds the profile's key; for a new profile choose another place for its key: "
        "`limen profile init --passphrase`, `--key-file PATH` or `--memory`."
    )


class KeyringTimeout(KeyFault):
    code = "keyring_timeout"
    sentence = (
        "The keyring did not answer within 10 seconds. It may be showing a prompt: unlock it and try again."
    )


class KeyringRefused(KeyFault):
    code = "keyring_refused"
    sentence = "The keyring refused to keep or give the profile's key. Unlock the keyring and try again."


class KeyMissing(KeyFault):
    code = "key_missing"
    sentence = (
        "Your profile exists but its key is missing. Nothing was changed. Sign in to the keyring that holds "
        "it, or run `limen profile erase` to start anew: without the key nobody can read the old profile."
    )


class WrongKey(KeyFault):
    code = "wrong_key"
    sentence = "The key found is not the key of this profile. Nothing was changed."


class KeyFileMissing(KeyFault):
    code = "key_file_missing"
    sentence = "The profile's key file is not where it was. Put it back; nothing was changed."


class KeyFileUnsafe(KeyFault):
    code = "key_file_unsafe"


class SealDamaged(KeyFault):
    code = "seal_damaged"
    sentence = "The sealed file cannot be read: it was damaged or altered. Nothing was changed."


class WeakPassphrase(KeyFault):
    code = "weak_passphrase"
    status = 422
    exit_code = 1
    sentence = "The passphrase must have at least 12 characters."


class StoreError(ProfileError):
    code = "store"
    status = 423
    exit_code = 78


class NotEncrypted(StoreError):
    code = "not_encrypted"
    sentence = (
        "The SQLite driver at hand is not SQLCipher 4 and would write the profile in clear, so nothing was "
        "written. Install it with `pip install 'sqlcipher3>=0.6.4,<0.7'`."
    )


class StoreDamaged(StoreError):
    code = "store_damaged"
    sentence = (
        "The profile's file is damaged. It was left as it is: put a copy back, or run `limen profile erase` "
        "and `limen profile import` with your last export."
    )


class StoreBusy(StoreError):
    code = "store_busy"
    status = 503
    exit_code = 75
    sentence = "The profile is open in another process that does not answer. Stop it and try again."


class StoreTooNew(StoreError):
    code = "store_too_new"
    sentence = "The profile was written by a later version of Limen. Update Limen; nothing was changed."


class StoreClosed(StoreError):
    code = "store_closed"
    status = 503
    sentence = "The profile was closed."


class StoreFailed(StoreError):
    code = "store_failed"
    status = 503
    exit_code = 74
    sentence = "The profile could not be written or read. The disk may be full or read-only."


class ExportError(ProfileError):
    code = "export"
    status = 422


class ExportExists(ExportError):
    code = "export_exists"
    status = 409
    sentence = "That file exists already and was not overwritten. Choose another name."


class ExportUnreadable(ExportError):
    code = "export_unreadable"
    sentence = "This is not an export of Limen, or one of a later version. Nothing was imported."


class NotConfirmed(ProfileError):
    code = "not_confirmed"
    status = 422
    sentence = "Not confirmed; nothing was changed."


class DecisionMissing(ProfileError):
    code = "decision_missing"
    status = 404
    sentence = "There is no decision with this id."


class RuleMissing(ProfileError):
    code = "rule_missing"
    status = 404
    sentence = "There is no rule with this id."


class SituationMissing(ProfileError):
    code = "situation_missing"
    status = 404
    sentence = "There is no calibration situation or wording with this id."


class InvalidRequest(ProfileError):
    code = "invalid"
    status = 422
    sentence = "The request does not have the fields this needs."
