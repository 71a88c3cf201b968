"""The only code that writes proofs: `proving` begins one, `workers` compare part by part."""
