"""Games as pages, looked at as their readers do."""
