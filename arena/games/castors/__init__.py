"""Gang de Castors, by Monty and Ann Stambler: four hidden cards a row; 2 to 6 players."""
