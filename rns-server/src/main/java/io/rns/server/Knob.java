package io.rns.server;

/**
 * The settings of a server, each an environment variable or a line {@code NAME=value} of the properties file that
 * {@code
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
  RNS_DB_SOCKET_TIMEOUT(Unit.MILLISECONDS, "15000", 3_000, 3_600_000),
  /** Age at which a connection is renewed. */
  RNS_DB_MAX_LIFETIME(Unit.MILLISECONDS, "1800000", 30_000, 86_400_000),
  /** How often an idle connection is probed. */
  RNS_DB_KEEPALIVE(Unit.MILLISECONDS, "120000", 30_000, 86_400_000),
  /** Memory for cached entries; 0 means a quarter of what the heap has beyond 128 MiB. */
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
  /** Where this server is. */
  RNS_SITE(Unit.TEXT, "", 0, 200),
  /** How many requests are worked at at a time: off, fixed or adaptive. */
  RNS_OVERLOAD(Unit.TEXT, "off", 1, 20),
  /** What this server can do at a time, in any unit. */
  RNS_CAPACITY(Unit.COUNT, "100", 1, 1_000_000_000),
  /** What one request needs of it, in the same unit. */
  RNS_REQUEST_CAPACITY(Unit.COUNT, "1", 1, 1_000_000_000),
  /** Most clients that watch changes at one time; each holds a connection. */
  RNS_WATCHERS(Unit.COUNT, "1000", 0, 100_000),
  /** How the databases of several servers are kept alike: standalone, source-replica or group. */
  RNS_TOPOLOGY(Unit.TEXT, "standalone", 1, 20),
  /** The number of the server group, which positions and new ids contain. */
  RNS_GROUP(Unit.COUNT, "0", 0, 32_767),
  /** The address of this server for the others of its group and for clients. */
  RNS_SERVER_URL(Unit.TEXT, "", 0, 2_000),
  /** Addresses of servers of the group that owns the root, comma-separated; empty: this group owns it. */
  RNS_ROOT_SERVERS(Unit.TEXT, "", 0, 20_000),
  /** What the group that owns the root does about the loads of all groups: off, suggest or auto. */
  RNS_PARTITIONING(Unit.TEXT, "suggest", 1, 20),
  /** How long the heat of a window is measured; servers keep that of 25 minutes. */
  RNS_PARTITION_WINDOW(Unit.MILLISECONDS, "300000", 10_000, 1_200_000),
  /** Windows in which an imbalance must be seen. */
  RNS_PARTITION_WINDOWS(Unit.COUNT, "3", 1, 50),
  /** By how much a move must lower the load of the busiest group, in percent of the mean load. */
  RNS_PARTITION_GAIN(Unit.COUNT, "10", 1, 100),
  /** Load of the busiest group below which nothing moves, in reads per second. */
  RNS_PARTITION_MINIMUM_LOAD(Unit.COUNT, "200", 0, 1_000_000_000),
  /** Most moves that begin in an hour. */
  RNS_PARTITION_MOVES_PER_HOUR(Unit.COUNT, "4", 1, 60),
  /** When no move begins, in UTC. */
  RNS_PARTITION_QUIET_HOURS(Unit.TEXT, "", 0, 11),
  /** How long a directory stays after a move. */
  RNS_PARTITION_REST(Unit.MILLISECONDS, "3600000", 0, 604_800_000),
  /** Addresses of servers of the group, comma-separated. */
  RNS_GROUP_SERVERS(Unit.TEXT, "", 0, 20_000),
  /** Secret of operators and members of a group. */
  RNS_GROUP_SECRET(Unit.TEXT, "", 0, 200),
  /** Trusted certificates of other servers, a file in PEM; empty means those of Java. */
  RNS_TLS_CA(Unit.TEXT, "", 0, 4_000),
  /** Where the other databases of the group reach this one. */
  RNS_DB_ADDRESS(Unit.TEXT, "", 0, 300),
  /** Account of the database that controls replication. */
  RNS_DB_CONTROL_USER(Unit.TEXT, "rns_control", 0, 100),
  /** Password of that account. */
  RNS_DB_CONTROL_PASSWORD(Unit.TEXT, "", 0, 1_000),
  /** When a write is answered: replicated or local. */
  RNS_DURABILITY(Unit.TEXT, "replicated", 1, 20),
  /** Who replaces a primary that is gone: auto or manual. */
  RNS_FAILOVER(Unit.TEXT, "auto", 1, 20),
  /** Where the registrar of server pools listens; empty: it does not. */
  RNS_POOL_ADDRESS(Unit.TEXT, "", 0, 300),
  /** Port of the registrar for elements and users that speak ASAP; 0 for any. */
  RNS_POOL_PORT(Unit.COUNT, "3863", 0, 65_535),
  /** Port of the registrar for other registrars, which speak ENRP; 0 for any. */
  RNS_POOL_PEERS_PORT(Unit.COUNT, "9901", 0, 65_535),
  /** Certificate chain of the registrar for TLS, a file in PEM; empty: its ports are plain. */
  RNS_POOL_CERTIFICATE(Unit.TEXT, "", 0, 4_000),
  /** The key of that certificate, a file in PEM. */
  RNS_POOL_KEY(Unit.TEXT, "", 0, 4_000),
  /** Places of other registrars, host:port, comma-separated. */
  RNS_POOL_REGISTRARS(Unit.TEXT, "", 0, 20_000),
  /** Multicast group and interface by which the registrar announces itself and finds others; empty: it does not. */
  RNS_POOL_MULTICAST(Unit.TEXT, "", 0, 300),
  /** How long answers of a pool may be used at most. */
  RNS_POOL_TTL(Unit.MILLISECONDS, "5000", 0, 3_600_000),
  /** The zone that this server answers for by DNS; empty: it does not. */
  RNS_DNS_ZONE(Unit.TEXT, "", 0, 200),
  /** Where DNS listens. */
  RNS_DNS_ADDRESS(Unit.TEXT, "127.0.0.1", 1, 300),
  /** Port of DNS, for UDP and TCP; 0 for any. */
  RNS_DNS_PORT(Unit.COUNT, "53", 0, 65_535),
  /** The file of the DNS log, rotated as the access log; empty: there is none. */
  RNS_DNS_LOG(Unit.TEXT, "", 0, 4_000),
  /** The file of the access log; empty: there is none. */
  RNS_ACCESS_LOG(Unit.TEXT, "", 0, 4_000),
  /** Size at which it is rotated. */
  RNS_ACCESS_LOG_BYTES(Unit.BYTES, "67108864", 65_536, 1L << 40),
  /** How many files of it there are at most. */
  RNS_ACCESS_LOG_FILES(Unit.COUNT, "4", 1, 1_000),
  /** The directory of the audit log; empty: there is none. */
  RNS_AUDIT(Unit.TEXT, "", 0, 4_000),
  /** What it records: changes or all. */
  RNS_AUDIT_EVENTS(Unit.TEXT, "changes", 1, 20),
  /** Size at which a file of it is full. */
  RNS_AUDIT_BYTES(Unit.BYTES, "67108864", 1_048_576, 1L << 40),
  /** How many files of it there are at most. */
  RNS_AUDIT_FILES(Unit.COUNT, "16", 2, 100_000),
  /** What happens while it cannot be written: continue or refuse. */
  RNS_AUDIT_FULL(Unit.TEXT, "continue", 1, 20),
  /** The name of this server in the output of {@code status}; empty means host and port of {@code RNS_SERVER_URL}. */
  RNS_SERVER_NAME(Unit.TEXT, "", 0, 200),
  /** The address of the SOAP endpoint as clients see it; empty means as in the request. */
  RNS_PUBLIC_URL(Unit.TEXT, "", 0, 2_000),
  /** Further names of hosts by which clients reach this server, comma-separated. */
  RNS_HOSTS(Unit.TEXT, "", 0, 20_000),
  /** Sites whose pages may use this server from browsers, comma-separated. */
  RNS_CORS_ORIGINS(Unit.TEXT, "", 0, 20_000),
  /** What access rules mean: open, log or closed; empty means closed. */
  RNS_ACCESS(Unit.TEXT, "closed", 0, 20),
  /** How what a caller may not see is answered: refused or missing; empty means refused. */
  RNS_ACCESS_REFUSAL(Unit.TEXT, "", 0, 20),
  /** Callers that may do everything, comma-separated: names, and groups as {@code group:NAME}. */
  RNS_ADMINISTRATORS(Unit.TEXT, "", 0, 20_000),
  /** The file of local accounts. */
  RNS_ACCOUNTS(Unit.TEXT, "", 0, 4_000),
  /** Issuers of bearer tokens, comma-separated. */
  RNS_ISSUERS(Unit.TEXT, "", 0, 20_000),
  /** Audiences of which a bearer token must have one, comma-separated. */
  RNS_AUDIENCE(Unit.TEXT, "", 0, 20_000),
  /** Authorities of client certificates: a directory, or a file in PEM. */
  RNS_X509_TRUST(Unit.TEXT, "", 0, 4_000),
  /** Whether client certificates need a revocation list of their authority: if-valid or require; empty: if-valid. */
  RNS_X509_CRL(Unit.TEXT, "", 0, 20),
  /** The directory of VOMS servers. */
  RNS_VOMS(Unit.TEXT, "", 0, 4_000);

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

  /** Whether the value is kept out of logs and messages. */
  boolean isSecret() {
    return this == RNS_DB_PASSWORD || this == RNS_DB_CONTROL_PASSWORD || this == RNS_GROUP_SECRET;
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
