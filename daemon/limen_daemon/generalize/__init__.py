"""Less detailed wordings for a phrase, made from the phrase and its clause in well under a millisecond."""

from limen_daemon.generalize.asked import Asked
from limen_daemon.generalize.choosing import MAX_SUGGESTIONS, suggest
from limen_daemon.generalize.drafts import Suggestion

__all__ = ["MAX_SUGGESTIONS", "Asked", "Suggestion", "suggest"]
