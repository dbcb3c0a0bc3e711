"""What `make` runs to draw pictures, write documents and keep the catalogues."""
