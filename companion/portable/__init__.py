"""What host and hub do alike: it runs unchanged on CPython and on MicroPython.

So: no typing, no dataclasses, no msgspec; annotations of built-in types only; times are whole
milliseconds of a counter that wraps; modules import each other by `companion.portable` on both.
"""
