"""Gang de Castors, for two to six players."""
