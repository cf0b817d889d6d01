-- How many levels of entries are below a directory, at most; from 1024 on it is not counted. So a move knows how deep the
-- tree becomes without looking at what moves.

-- First for what there is, from each directory that has entries up to the root: costs what the tree has directories, and no scan
-- of the entries. Databases end a recursion after 1000 rounds, so what is nearly as high as that counts as at the limit.
CREATE TABLE height_of_directory (
  directory_id BIGINT   NOT NULL,
  height       SMALLINT NOT NULL,
  PRIMARY KEY (directory_id)
) ENGINE = InnoDB;

INSERT INTO height_of_directory (directory_id, height)
WITH RECURSIVE climb (directory_id, height) AS (
  SELECT directory_id, 1 FROM directory_count WHERE entries > 0
  UNION
  SELECT entry.parent_id, climb.height + 1
  FROM climb JOIN entry ON entry.entry_id = climb.directory_id
  WHERE entry.parent_id <> 0 AND climb.height < 990
)
SELECT directory_id, CASE WHEN MAX(height) >= 990 THEN 1024 ELSE MAX(height) END FROM climb GROUP BY directory_id;

ALTER TABLE directory_count ADD COLUMN height SMALLINT NOT NULL DEFAULT 0;

UPDATE directory_count JOIN height_of_directory USING (directory_id)
SET directory_count.height = height_of_directory.height;

DROP TABLE height_of_directory;
