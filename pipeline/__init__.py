"""Raw text to word-relatedness matrices: one module a stage."""
