#!/bin/sh
set -eu
kubectl --namespace shop set image deployment/web web="registry.acme.example/web:$1"
kubectl --namespace shop rollout status deployment/web --timeout 300s
