-- Accounts on each database of a group, outside of the binary log. rns owns the data and must respect read-only:
-- no SUPER, no global privileges. rns_control controls replication, and replicas fetch with it.
SET SESSION sql_log_bin = 0;
SET GLOBAL super_read_only = OFF;
CREATE DATABASE rns;
CREATE USER 'rns'@'%' IDENTIFIED BY 'choose-one';
GRANT ALL ON rns.* TO 'rns'@'%';
CREATE USER 'rns_control'@'%' IDENTIFIED BY 'choose-another';
GRANT REPLICATION SLAVE, REPLICATION CLIENT, REPLICATION_SLAVE_ADMIN, SYSTEM_VARIABLES_ADMIN, TRANSACTION_GTID_TAG,
  CONNECTION_ADMIN, SYSTEM_USER, PROCESS, RELOAD ON *.* TO 'rns_control'@'%';
GRANT SELECT ON performance_schema.* TO 'rns_control'@'%';
GRANT ALL ON rns.* TO 'rns_control'@'%';
SET GLOBAL super_read_only = ON;
