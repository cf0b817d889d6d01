-- If the content of a directory is being copied from the group that owns it: the number of a change there after which
-- all of the copy was read, so that an interrupted copy can go on; else 0.
ALTER TABLE delegated_directory ADD COLUMN copied_since BIGINT NOT NULL DEFAULT 0;
