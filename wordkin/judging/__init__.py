"""How well measures agree with people: rated word pairs and recorded rounds."""
