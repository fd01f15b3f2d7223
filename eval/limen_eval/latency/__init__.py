"""How fast detectors are, how soon they are ready, and how much memory they take."""
