"""In the place of the package RPi.GPIO."""
