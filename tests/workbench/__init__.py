"""The workbench: what an author asks of his bot."""
