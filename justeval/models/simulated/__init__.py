"""The simulated model: a judge whose effects are known, behind a real HTTP server.

In: chat messages, and a file of planted effects. Out: replies as a model would send them. It
proves that the method finds what was planted, and it is what the demo asks.
"""

from __future__ import annotations

from justeval.models.simulated.answer import SimulatedModel, message_text
from justeval.models.simulated.effects import Profile, load_profile, profile_names
from justeval.models.simulated.process import running_server

__all__ = [
    "Profile",
    "SimulatedModel",
    "load_profile",
    "message_text",
    "profile_names",
    "running_server",
]
