"""A Prometheus server that is asked for samples, alerts, rules and targets: what may be asked, and what came back."""
