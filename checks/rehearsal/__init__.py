"""`make rehearse`: the deployment of docs/deployment, done on loopback."""
