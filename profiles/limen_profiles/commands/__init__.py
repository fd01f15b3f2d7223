"""`limen profile ...`: one file for each subcommand."""
