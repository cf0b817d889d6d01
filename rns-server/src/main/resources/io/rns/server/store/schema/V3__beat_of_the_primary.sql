-- When the primary last committed something, by its clock: what a replica knows to be old, it can say how old.
ALTER TABLE server_group ADD COLUMN beat_at BIGINT NOT NULL DEFAULT 0;
