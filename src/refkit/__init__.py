"""refkit: reads, checks, enriches, exports and renders bibliographies."""

__version__ = "0.1.0"
