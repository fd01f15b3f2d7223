"""Models on disk: the one shipped with Limen and those a user adds. A model is a folder with a manifest."""
