"""The built page in a real Chromium, against the real service and the simulated model."""
