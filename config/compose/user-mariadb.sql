-- The user of the gateway in compose.yaml: it may read everything, and write orders.
-- The password is for this sample only; both servers are reachable from the containers beside them, and from nowhere else.
CREATE USER gateway IDENTIFIED BY 'sample';
GRANT SELECT ON * TO gateway;
GRANT INSERT, UPDATE, DELETE ON orders TO gateway;
