"""Vectors that host and firmware share."""
