#!/bin/sh
# Makes the database of a hub. Its role is no superuser: users are kept apart by row-level security, which a superuser
# sees past.
set -e

psql --username "$POSTGRES_USER" --dbname postgres --set ON_ERROR_STOP=1 --set password="$HUB_PASSWORD" <<'SQL'
CREATE ROLE hub LOGIN PASSWORD :'password';
CREATE DATABASE hub OWNER hub;
SQL
