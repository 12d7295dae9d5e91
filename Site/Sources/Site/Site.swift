// The site needs a target, and builds none of it.
