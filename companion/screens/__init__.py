"""What people see: pages for a small display, a terminal, questions before a game.

Everything here renders prompts, events and views through a game's wording; it knows no game.
"""
