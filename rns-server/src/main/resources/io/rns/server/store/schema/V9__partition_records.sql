-- What was decided about partitions, with the heat that led to it (kind 1), and moves of directories to other groups
-- (kind 2): the newest ones, as JSON.
CREATE TABLE partition_record (
  kind     TINYINT    NOT NULL,
  number   BIGINT     NOT NULL,
  document MEDIUMBLOB NOT NULL,
  PRIMARY KEY (kind, number)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC;
