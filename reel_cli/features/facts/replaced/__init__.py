"""Values of facts that hold no longer, as bundles mark them."""
