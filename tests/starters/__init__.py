"""What `arena bot new` writes."""
