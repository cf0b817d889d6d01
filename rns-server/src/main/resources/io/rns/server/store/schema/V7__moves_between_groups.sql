-- Entries that are moving to other server groups: their rows in entry have a negative version. epoch and sequence are the
-- position of the mark, arrival is what the other group is asked for.
CREATE TABLE departure (
  entry_id BIGINT     NOT NULL,
  epoch    INT        NOT NULL,
  sequence BIGINT     NOT NULL,
  group_id INT        NOT NULL,
  arrival  MEDIUMBLOB NOT NULL,
  PRIMARY KEY (entry_id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC;

-- Positions of other server groups that the tree reflects: of moves from them and to them.
ALTER TABLE server_group ADD COLUMN reflected VARBINARY(8192) NOT NULL DEFAULT '';
