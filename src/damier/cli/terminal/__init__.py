"""What several commands share: their arguments, tables, progress bars and dashboards."""
