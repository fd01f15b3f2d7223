"""One third-person sentence per phrase: what the text says, nothing more. English and Chinese."""
