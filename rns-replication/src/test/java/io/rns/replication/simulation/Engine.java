package io.rns.replication.simulation;

/** What differs between the databases. */
enum Engine {
  /** A position is the last transaction; a replica with others is refused; a started replica forgets its relay log. */
  MARIADB,
  /**
   * A position is a set of transactions; a replica with others is accepted; the relay log is kept, also by one that
   * follows another source while it applies.
   */
  MYSQL
}
