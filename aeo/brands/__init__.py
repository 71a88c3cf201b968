"""/brands: the exact models of a brand. A recall is never the brand's."""
