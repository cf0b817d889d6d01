-- Times are microseconds since 1970-01-01T00:00:00Z. Names are UTF-8 bytes, compared as bytes.

CREATE TABLE server_group (
  group_id      INT      NOT NULL,
  epoch         INT      NOT NULL,
  last_sequence BIGINT   NOT NULL,
  last_entry    BIGINT   NOT NULL,
  last_answers  BIGINT   NOT NULL,
  PRIMARY KEY (group_id)
) ENGINE = InnoDB;

CREATE TABLE entry (
  parent_id   BIGINT          NOT NULL,
  name        VARBINARY(1024) NOT NULL,
  entry_id    BIGINT          NOT NULL,
  kind        TINYINT         NOT NULL,
  version     BIGINT          NOT NULL,
  created_at  BIGINT          NOT NULL,
  modified_at BIGINT          NOT NULL,
  epr         MEDIUMBLOB      NULL,
  metadata    MEDIUMBLOB      NULL,
  PRIMARY KEY (parent_id, name),
  UNIQUE KEY entry_by_id (entry_id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC;

-- How many entries a directory has. A directory without a row has none.
CREATE TABLE directory_count (
  directory_id BIGINT NOT NULL,
  entries      BIGINT NOT NULL,
  PRIMARY KEY (directory_id)
) ENGINE = InnoDB;

-- Changes in the order of commits, numbered without gaps; a row holds some that follow one another.
CREATE TABLE change_log (
  last_sequence  BIGINT     NOT NULL,
  first_sequence BIGINT     NOT NULL,
  epoch          INT        NOT NULL,
  committed_at   BIGINT     NOT NULL,
  changes        MEDIUMBLOB NOT NULL,
  PRIMARY KEY (last_sequence)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC;

-- Answers to requests that had an id; a row holds some that were given together.
CREATE TABLE answer_log (
  answers_id  BIGINT     NOT NULL,
  answered_at BIGINT     NOT NULL,
  answers     MEDIUMBLOB NOT NULL,
  PRIMARY KEY (answers_id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC;

-- Where the answer to a request is.
CREATE TABLE request_log (
  request_id VARBINARY(64) NOT NULL,
  answers_id BIGINT        NOT NULL,
  PRIMARY KEY (request_id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC;

-- Directories taken out of the tree whose entries are still to be deleted.
CREATE TABLE removed_directory (
  directory_id BIGINT NOT NULL,
  PRIMARY KEY (directory_id)
) ENGINE = InnoDB;

-- The first change is the root.
INSERT INTO server_group (group_id, epoch, last_sequence, last_entry, last_answers) VALUES (0, 0, 1, 1, 0);

-- Trees are told apart by the instant at which their root was made.
SET @now = CAST(UNIX_TIMESTAMP(CURRENT_TIMESTAMP(6)) * 1000000 AS SIGNED);

INSERT INTO entry (parent_id, name, entry_id, kind, version, created_at, modified_at)
VALUES (0, '', 1, 1, 1, @now, @now);
