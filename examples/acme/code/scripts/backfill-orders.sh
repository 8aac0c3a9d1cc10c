#!/bin/sh
set -eu
psql "$ORDERS_DB" -c "insert into orders_v2 select * from orders on conflict do nothing"
