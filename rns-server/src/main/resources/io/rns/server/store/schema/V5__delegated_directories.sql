-- Directories whose content another server group owns; their entries have kind 3 and the group's number as epr.
-- epoch is the number of the change that delegated one.
CREATE TABLE delegated_directory (
  directory_id BIGINT NOT NULL,
  group_id     INT    NOT NULL,
  epoch        BIGINT NOT NULL,
  PRIMARY KEY (directory_id)
) ENGINE = InnoDB;
