"""The kernel. Pure: no clock, no random, no input or output. Games are written with it."""
