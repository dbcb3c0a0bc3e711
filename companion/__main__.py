"""`python -m companion` is the same as `companion`."""

from companion.command import main

if __name__ == "__main__":
    main()
