"""Raw text to word-relatedness matrices: one module per stage."""
