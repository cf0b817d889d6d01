-- The members of the server group, by address. Each row repeats in which epoch the list was written last, and how often.
CREATE TABLE group_member (
  url     VARBINARY(1024) NOT NULL,
  since   BIGINT          NOT NULL,
  epoch   INT             NOT NULL,
  version BIGINT          NOT NULL,
  PRIMARY KEY (url)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC;
