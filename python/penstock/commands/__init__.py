"""One file for each command of `penstock` that is more than a few lines; loaded when it is asked for."""
