"""Our agents as players in other people's frameworks."""
