"""What people see: tables, progress, plots, and the single-file report."""
