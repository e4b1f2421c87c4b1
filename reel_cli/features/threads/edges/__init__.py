"""Typed edges between rib points, clusters and pages, each with its weight and its reason."""
