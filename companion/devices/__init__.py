"""Readers, buttons, hub, display, lights and sound: each in a thread of its own.

A device may be missing, fail, hang or come back at any time; `worker` turns all of that into a
`Health` and the game goes on by what is left. What devices have to say comes as `inputs`. They
know nothing of games and screens.
"""
