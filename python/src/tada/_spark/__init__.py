"""The parts of tada.spark."""
