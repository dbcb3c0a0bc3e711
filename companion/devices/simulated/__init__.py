"""Chips and a board without hardware: what the real drivers talk to where there is no Pi.

Only what belongs to the kernel is replaced (`drivers`): our code and the libraries run as they
are, against chips modelled by their data sheets and wired on a `bench`.
"""
