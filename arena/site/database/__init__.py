"""What a site keeps, in SQLite: accounts, submissions, and the steps from older databases."""
