"""Penstock on real Spark: every way to start it, compared with plain PySpark."""
