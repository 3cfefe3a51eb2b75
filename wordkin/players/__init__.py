"""Our agents in the clothes of other programs."""
