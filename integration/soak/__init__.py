"""A steady load for minutes or hours: memory, threads and descriptors must not grow (T9)."""
