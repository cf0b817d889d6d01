package io.rns.server;

/**
 * The settings of a server, each an environment variable or a line {@code NAME=value} of the properties file that {@code
 * RNS_CONFIG} names; a variable wins. docs/operations.md explains each; a test holds the two against each other.
 */
public enum Knob {
  /** Where the database is. */
  RNS_DB_URL(Unit.TEXT, "jdbc:mysql://127.0.0.1:3306/rns", 1, 2_000),
  /** Account of the database. */
  RNS_DB_USER(Unit.TEXT, "rns", 0, 100),
  /** Password of the account. */
  RNS_DB_PASSWORD(Unit.TEXT, "", 0, 1_000),
  /** Most connections for reads; writes have one of their own. */
  RNS_DB_READ_CONNECTIONS(Unit.COUNT, "10", 1, 1_000),
  /** Longest wait for a connection. */
  RNS_DB_CONNECTION_TIMEOUT(Unit.MILLISECONDS, "5000", 250, 600_000),
  /** Longest wait for an answer of the database. */
  RNS_DB_SOCKET_TIMEOUT(Unit.MILLISECONDS, "30000", 1_000, 3_600_000),
  /** Age at which a connection is renewed. */
  RNS_DB_MAX_LIFETIME(Unit.MILLISECONDS, "1800000", 30_000, 86_400_000),
  /** How often an idle connection is probed. */
  RNS_DB_KEEPALIVE(Unit.MILLISECONDS, "120000", 30_000, 86_400_000),
  /** Memory for cached entries; 0 means a quarter of the heap. */
  RNS_CACHE_BYTES(Unit.BYTES, "0", 0, 1L << 40),
  /** Most writes that wait. */
  RNS_WRITE_QUEUE(Unit.COUNT, "4096", 1, 1_000_000),
  /** Most requests of one write transaction. */
  RNS_WRITE_BATCH(Unit.COUNT, "256", 1, 10_000),
  /** Longest wait of a write for its answer. */
  RNS_WRITE_TIMEOUT(Unit.MILLISECONDS, "20000", 100, 600_000),
  /** How long answers to requests with an id are kept. */
  RNS_REQUEST_IDS_KEPT(Unit.HOURS, "24", 24, 8_760),
  /** How long the change log is kept. */
  RNS_CHANGES_KEPT(Unit.HOURS, "72", 1, 87_600),
  /** Longest time in which a request must have arrived completely. */
  RNS_REQUEST_TIMEOUT(Unit.MILLISECONDS, "30000", 1_000, 600_000),
  /** Most large requests that are held in memory at once. */
  RNS_LARGE_REQUESTS(Unit.COUNT, "8", 1, 10_000),
  /** The name of this server in the output of {@code status}; empty means the name of the host. */
  RNS_SERVER_NAME(Unit.TEXT, "", 0, 200),
  /** The address of the SOAP endpoint as clients see it; empty means as in the request. */
  RNS_PUBLIC_URL(Unit.TEXT, "", 0, 2_000);

  /** What a value is. */
  public enum Unit {
    /** Text; bounds are its length. */
    TEXT,
    /** A number of things. */
    COUNT,
    /** Memory. */
    BYTES,
    /** Time. */
    MILLISECONDS,
    /** Time. */
    HOURS
  }

  private final Unit unit;
  private final String initial;
  private final long minimum;
  private final long maximum;

  Knob(Unit unit, String initial, long minimum, long maximum) {
    this.unit = unit;
    this.initial = initial;
    this.minimum = minimum;
    this.maximum = maximum;
  }

  /** What a value is. */
  public Unit unit() {
    return unit;
  }

  /** The value if nothing is set. */
  public String initial() {
    return initial;
  }

  /** The least value, or length of a text. */
  public long minimum() {
    return minimum;
  }

  /** The greatest value, or length of a text. */
  public long maximum() {
    return maximum;
  }
}
