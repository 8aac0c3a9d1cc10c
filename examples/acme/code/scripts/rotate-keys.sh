#!/bin/sh
set -eu
vault write -f "pki/roles/$1/rotate"
kubectl --namespace shop rollout restart "deployment/$1"
