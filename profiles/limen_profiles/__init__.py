"""The encrypted memory of a user's choices, and the predictor of their boundary.

Imports no other package of Limen.
"""

from limen_profiles.boundary.meanings import Embed, Embedding
from limen_profiles.calibration import CalibrationAnswer, CalibrationState, Situation
from limen_profiles.erasure import Erased
from limen_profiles.errors import ProfileError
from limen_profiles.paths import ProfilePaths
from limen_profiles.placeholders import PlaceholderEntry, PlaceholdersGet, PlaceholdersOut, PlaceholdersPut
from limen_profiles.portable import Imported
from limen_profiles.profile import Profile
from limen_profiles.records import (
    Boundary,
    Context,
    DecisionIn,
    DecisionOut,
    Deletion,
    Exposure,
    Filter,
    Page,
    PageRequest,
    RuleIn,
    RuleOut,
    Summary,
)
from limen_profiles.service import ProfileService, ProfileStatus
from limen_profiles.settings import Settings, SettingsChange

__all__ = [
    "Boundary",
    "CalibrationAnswer",
    "CalibrationState",
    "Context",
    "DecisionIn",
    "DecisionOut",
    "Deletion",
    "Embed",
    "Embedding",
    "Erased",
    "Exposure",
    "Filter",
    "Imported",
    "Page",
    "PageRequest",
    "PlaceholderEntry",
    "PlaceholdersGet",
    "PlaceholdersOut",
    "PlaceholdersPut",
    "Profile",
    "ProfileError",
    "ProfilePaths",
    "ProfileService",
    "ProfileStatus",
    "RuleIn",
    "RuleOut",
    "Settings",
    "SettingsChange",
    "Situation",
    "Summary",
]
