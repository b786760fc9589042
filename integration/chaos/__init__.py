"""Faults on purpose: what is killed, when, and what must be true afterwards."""
