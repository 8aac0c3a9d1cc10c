#!/bin/sh
set -eu
rabbitmqadmin purge queue name="$1-dead"
