"""What every request passes before a route sees it: hosts, origins, tokens, sizes, headers."""
