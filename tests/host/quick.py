"""`companion` with hands and eyes that are quicker than people's, to be run with -m."""

from __future__ import annotations

import sys

from companion.command import main
from tests.host.simulated import hands_quick

if __name__ == "__main__":
    with hands_quick():
        sys.exit(main())
