"""Heavy work, done in processes beside the service so that its event loop never waits."""
