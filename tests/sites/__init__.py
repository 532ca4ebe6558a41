"""Sites, served in processes of their own and visited as people and programs do."""
