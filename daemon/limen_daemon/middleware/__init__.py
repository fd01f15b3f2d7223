"""What every request passes inside the application, outermost first: errors, body."""
