"""Tasks and questions for the tools of agents: what an agent reads for them, and whether it is true."""
