"""`make rehearse`: the deployment of docs/deployment, carried out on loopback."""
