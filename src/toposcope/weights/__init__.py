"""Where weights come from: catalogue, registries, the hub, archives, converters, the cache."""
