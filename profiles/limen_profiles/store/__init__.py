"""The encrypted database: opening it, its tables and migrations, and the one thread that uses it."""
