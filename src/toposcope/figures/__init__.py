"""Pictures: arrays in, axes and figures out, in one palette; matplotlib is loaded to draw."""
