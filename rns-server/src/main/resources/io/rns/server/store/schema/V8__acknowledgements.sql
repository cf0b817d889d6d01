-- Of how many replicas a commit waits once the list is in force.
ALTER TABLE group_member ADD COLUMN acknowledgements INT NOT NULL DEFAULT 1;

-- The last change of which the primary knew, when it committed, that enough replicas have it: replicas show no later one.
-- All where one suffices that has received it.
ALTER TABLE server_group ADD COLUMN confirmed BIGINT NOT NULL DEFAULT 9223372036854775807;
