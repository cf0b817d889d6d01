-- Accounts on each database of a group, outside of the binary log. rns owns the data and must respect read-only:
-- no SUPER, no global privileges. rns_control controls replication, and replicas fetch with it.
SET SESSION sql_log_bin = 0;
SET GLOBAL read_only = OFF;
CREATE DATABASE rns CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
CREATE USER 'rns'@'%' IDENTIFIED BY 'choose-one';
GRANT ALL ON rns.* TO 'rns'@'%';
CREATE USER 'rns_control'@'%' IDENTIFIED BY 'choose-another';
GRANT REPLICATION SLAVE, REPLICATION SLAVE ADMIN, REPLICATION MASTER ADMIN, SLAVE MONITOR, BINLOG MONITOR, BINLOG ADMIN,
  READ_ONLY ADMIN, CONNECTION ADMIN, PROCESS, RELOAD ON *.* TO 'rns_control'@'%';
GRANT ALL ON rns.* TO 'rns_control'@'%';
SET GLOBAL read_only = ON;
