"""What a terminal shows: flows while they run here, and PEs of Spark on this host."""
