-- The user of the gateway in compose.yaml: it may read everything, and write orders.
-- The password is for this sample only; both servers are reachable from the containers beside them, and from nowhere else.
CREATE USER gateway PASSWORD 'sample';
GRANT SELECT ON ALL TABLES IN SCHEMA public TO gateway;
GRANT INSERT, UPDATE, DELETE ON orders TO gateway;
