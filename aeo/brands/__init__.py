"""/brands: the exact models of a brand. A recall belongs to a model, never to a brand."""
