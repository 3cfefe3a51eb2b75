"""The game: boards, rules, legal clues, scoring, spymaster, guesser and tournaments."""
