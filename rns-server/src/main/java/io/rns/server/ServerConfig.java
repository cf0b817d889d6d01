package io.rns.server;

import io.rns.association.Multicast;
import io.rns.client.RnsClient;
import io.rns.client.http.ClientCertificate;
import io.rns.client.http.TlsTrust;
import io.rns.error.RnsException;
import io.rns.identity.AccessMode;
import io.rns.identity.AccessPolicy;
import io.rns.identity.IdentitySettings;
import io.rns.identity.IssuerSettings;
import io.rns.identity.X509Settings;
import io.rns.network.MulticastGroup;
import io.rns.referral.Site;
import io.rns.replication.Topology;
import io.rns.replication.membership.Durability;
import io.rns.replication.partition.BalancerSettings;
import io.rns.replication.partition.PlanSettings;
import io.rns.replication.partition.QuietHours;
import io.rns.server.access.LineLogSettings;
import io.rns.server.audit.AuditSettings;
import io.rns.server.dns.DnsSettings;
import io.rns.replication.member.GroupSettings;
import io.rns.server.http.WebSettings;
import io.rns.server.memory.MemoryPool;
import io.rns.server.namespace.WriterSettings;
import io.rns.server.overload.OverloadSettings;
import io.rns.server.partition.PartitioningSettings;
import io.rns.server.partition.PartitioningSettings.Mode;
import io.rns.server.pool.PoolSettings;
import io.rns.server.store.DatabaseSettings;
import java.io.IOException;
import java.io.Reader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The validated settings of a server, read once.
 *
 * @param database how the database is reached
 * @param writer how the writer works
 * @param cacheBytes memory for cached entries and written listings
 * @param requestTimeout longest time in which a request must have arrived
 * @param largeRequests most large requests that are held in memory at once
 * @param overload how many requests are worked at at a time
 * @param site where this server is
 * @param capacity what it can do at a time
 * @param watchers most clients that watch changes at one time
 * @param secret of the operators, and of a group; empty if there is none
 * @param name the name of this server
 * @param serverUrl the address of this server for others; empty if it is not said
 * @param group how it belongs to its group; empty if it is alone
 * @param rootServers addresses of servers of the group that owns the root; empty if it is this one
 * @param trust the certificates accepted from other servers
 * @param partitioning how its group looks after the loads of all groups, if it owns the root
 * @param pools how it runs its registrar of server pools
 * @param dns the zone that it answers for by DNS; empty if it does not
 * @param accessLog where it takes down what is asked for; empty if it does not
 * @param audit where it records who changed what; empty if it does not
 * @param web by which names clients reach it, and which sites may use it from browsers
 * @param access how closed it is, and who administers it
 * @param hiding whether what a caller may not see is answered as missing
 * @param identity how callers may prove who they are
 */
public record ServerConfig(
    DatabaseSettings database,
    WriterSettings writer,
    long cacheBytes,
    Duration requestTimeout,
    int largeRequests,
    OverloadSettings overload,
    Site site,
    long capacity,
    int watchers,
    String secret,
    String name,
    Optional<String> serverUrl,
    Optional<GroupSettings> group,
    List<String> rootServers,
    TlsTrust trust,
    PartitioningSettings partitioning,
    PoolSettings pools,
    Optional<DnsSettings> dns,
    Optional<LineLogSettings> accessLog,
    Optional<AuditSettings> audit,
    WebSettings web,
    AccessPolicy access,
    boolean hiding,
    IdentitySettings identity) {

  private static final String FILE = "RNS_CONFIG";
  private static final double PERCENT = 100;

  /** The part of the cache for written listings. */
  private static final int WRITTEN_PART = 8;

  private static final Pattern REGISTRAR = Pattern.compile("(?:\\[([0-9a-fA-F:.]+)]|([^:\\[\\]]+)):([0-9]{1,5})");
  private static final Pattern PLACE = Pattern.compile("^https?://([^/?#]+)");
  private static final Pattern DATABASE_ADDRESS = Pattern.compile("^jdbc:mysql://([^/,:?]+:[0-9]+)(?:[/?].*)?$");

  /**
   * Reads the settings from variables and the file that {@code RNS_CONFIG} names among them, if any.
   *
   * @throws IllegalArgumentException naming the setting, its bounds and the value that is refused
   */
  public static ServerConfig read(Map<String, String> environment) {
    Map<String, String> given = new java.util.HashMap<>(file(environment.get(FILE)));
    for (Knob knob : Knob.values()) {
      String value = environment.get(knob.name());
      if (value != null) {
        given.put(knob.name(), value);
      }
    }
    Map<Knob, String> values = new EnumMap<>(Knob.class);
    for (Knob knob : Knob.values()) {
      values.put(knob, checked(knob, given.getOrDefault(knob.name(), knob.initial()).trim()));
    }
    return of(values);
  }

  /** Memory for cached entries. */
  long entryBytes() {
    return cacheBytes - writtenBytes();
  }

  /** Memory for written listings. */
  long writtenBytes() {
    return cacheBytes / WRITTEN_PART;
  }

  /**
   * Where other servers and operators send what they sign for this server; none if no other server knows its address,
   * and has its secret.
   */
  Set<String> places() {
    return serverUrl.isEmpty()
        ? Set.of()
        : Stream.concat(serverUrl.stream(), web.publicUrl().stream())
            .flatMap(url -> place(url).stream())
            .collect(Collectors.toUnmodifiableSet());
  }

  /** Host and port of an address. */
  private static Optional<String> place(String url) {
    Matcher parts = PLACE.matcher(url);
    return parts.find() ? Optional.of(parts.group(1).toLowerCase(Locale.ROOT)) : Optional.empty();
  }

  private static Map<String, String> file(@org.jspecify.annotations.Nullable String name) {
    Map<String, String> settings = new java.util.HashMap<>();
    if (name == null || name.isBlank()) {
      return settings;
    }
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(Path.of(name))) {
      properties.load(reader);
    } catch (IOException e) {
      throw new IllegalArgumentException(FILE + " names a file that cannot be read: " + e, e);
    }
    for (String key : properties.stringPropertyNames()) {
      try {
        settings.put(Knob.valueOf(key).name(), properties.getProperty(key));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(name + ": there is no setting '" + key + "'", e);
      }
    }
    return settings;
  }

  private static String checked(Knob knob, String value) {
    boolean text = knob.unit() == Knob.Unit.TEXT;
    long size;
    try {
      size = text ? value.length() : Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(knob + "='" + value + "' is not a whole number", e);
    }
    if (size < knob.minimum() || size > knob.maximum()) {
      String what = text ? "has " + size + " characters" : "is out of bounds";
      throw new IllegalArgumentException(
          knob + "='" + (knob.isSecret() ? "..." : value) + "' " + what + "; allowed are " + knob.minimum()
              + " to " + knob.maximum() + " "
              + (text ? "characters" : knob.unit().name().toLowerCase(java.util.Locale.ROOT)));
    }
    return value;
  }

  private static ServerConfig of(Map<Knob, String> values) {
    String url = values.get(Knob.RNS_DB_URL);
    if (!url.startsWith("jdbc:mysql:")) {
      throw new IllegalArgumentException(Knob.RNS_DB_URL + "='" + url + "' does not begin with jdbc:mysql:");
    }
    DatabaseSettings database =
        new DatabaseSettings(
            url,
            values.get(Knob.RNS_DB_USER),
            values.get(Knob.RNS_DB_PASSWORD),
            (int) number(values, Knob.RNS_DB_READ_CONNECTIONS),
            millis(values, Knob.RNS_DB_CONNECTION_TIMEOUT),
            millis(values, Knob.RNS_DB_SOCKET_TIMEOUT),
            millis(values, Knob.RNS_DB_MAX_LIFETIME),
            millis(values, Knob.RNS_DB_KEEPALIVE),
            (int) number(values, Knob.RNS_GROUP));
    long cacheBytes = number(values, Knob.RNS_CACHE_BYTES);
    // The name is public; the host's name is not.
    String name =
        text(values, Knob.RNS_SERVER_NAME)
            .or(() -> text(values, Knob.RNS_SERVER_URL).flatMap(ServerConfig::place))
            .orElse("server");
    String inLogs = text(values, Knob.RNS_SERVER_NAME).orElseGet(ServerConfig::hostName);
    Optional<GroupSettings> group = group(values, name, url);
    List<String> rootServers = rootServers(values);
    WriterSettings writer =
        new WriterSettings(
            (int) number(values, Knob.RNS_WRITE_QUEUE),
            (int) number(values, Knob.RNS_WRITE_BATCH),
            millis(values, Knob.RNS_WRITE_TIMEOUT),
            Duration.ofHours(number(values, Knob.RNS_REQUEST_IDS_KEPT)),
            Duration.ofHours(number(values, Knob.RNS_CHANGES_KEPT)),
            group.isPresent() ? GroupSettings.BEAT : Duration.ZERO,
            rootServers.isEmpty());
    return new ServerConfig(
        database,
        writer,
        cacheBytes == 0 ? MemoryPool.sharedHeap() / 4 : cacheBytes,
        millis(values, Knob.RNS_REQUEST_TIMEOUT),
        (int) number(values, Knob.RNS_LARGE_REQUESTS),
        overload(values),
        site(values),
        number(values, Knob.RNS_CAPACITY),
        (int) number(values, Knob.RNS_WATCHERS),
        values.get(Knob.RNS_GROUP_SECRET),
        name,
        text(values, Knob.RNS_SERVER_URL),
        group,
        rootServers,
        trust(values),
        partitioning(values),
        pools(values),
        dns(values, group, inLogs),
        log(values, Knob.RNS_ACCESS_LOG, inLogs),
        audit(values, inLogs),
        web(values),
        access(values),
        oneOf(values, Knob.RNS_ACCESS_REFUSAL, "", "refused", "missing").equals("missing"),
        identity(values));
  }

  private static IdentitySettings identity(Map<Knob, String> values) {
    Optional<Path> accounts = text(values, Knob.RNS_ACCOUNTS).map(Path::of);
    if (accounts.isPresent() && !accounts.get().isAbsolute()) {
      throw new IllegalArgumentException(
          Knob.RNS_ACCOUNTS + "='" + accounts.get() + "' is not the absolute path of a file");
    }
    X509Settings x509 = x509(values);
    try {
      return new IdentitySettings(
          accounts,
          new IssuerSettings(
              list(values.get(Knob.RNS_ISSUERS)).collect(Collectors.toUnmodifiableSet()),
              list(values.get(Knob.RNS_AUDIENCE)).collect(Collectors.toUnmodifiableSet())),
          x509);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          Knob.RNS_ISSUERS + ", " + Knob.RNS_AUDIENCE + ": " + e.getMessage(), e);
    }
  }

  private static X509Settings x509(Map<Knob, String> values) {
    Optional<Path> trust = place(values, Knob.RNS_X509_TRUST);
    Optional<Path> voms = place(values, Knob.RNS_VOMS);
    if (voms.isPresent() && trust.isEmpty()) {
      throw new IllegalArgumentException(Knob.RNS_X509_TRUST + " is empty; with " + Knob.RNS_VOMS + " it is needed");
    }
    return new X509Settings(
        trust, oneOf(values, Knob.RNS_X509_CRL, "", "if-valid", "require").equals("require"), voms);
  }

  private static Optional<Path> place(Map<Knob, String> values, Knob knob) {
    Optional<Path> place = text(values, knob).map(Path::of);
    if (place.isPresent() && !place.get().isAbsolute()) {
      throw new IllegalArgumentException(knob + "='" + place.get() + "' is not an absolute path");
    }
    return place;
  }

  private static AccessPolicy access(Map<Knob, String> values) {
    String mode = oneOf(values, Knob.RNS_ACCESS, "", "open", "log", "closed");
    return new AccessPolicy(
        mode.isEmpty() ? AccessMode.CLOSED : AccessMode.valueOf(mode.toUpperCase(Locale.ROOT)),
        Set.copyOf(each(values, Knob.RNS_ADMINISTRATORS, ServerConfig::principal)));
  }

  /** A caller or a group as its proof names it, such as {@code local:alice}. */
  private static String principal(String text) {
    String name = text.startsWith(AccessPolicy.GROUP) ? text.substring(AccessPolicy.GROUP.length()) : text;
    if (name.indexOf(':') <= 0 || name.endsWith(":")) {
      throw new IllegalArgumentException("'" + text + "' is no name like local:alice or group:local:operators");
    }
    return text;
  }

  private static TlsTrust trust(Map<Knob, String> values) {
    try {
      return text(values, Knob.RNS_TLS_CA).map(file -> TlsTrust.file(Path.of(file))).orElse(TlsTrust.SYSTEM);
    } catch (RnsException e) {
      throw new IllegalArgumentException(Knob.RNS_TLS_CA + ": " + e.getMessage(), e);
    }
  }

  private static WebSettings web(Map<Knob, String> values) {
    return new WebSettings(
        text(values, Knob.RNS_PUBLIC_URL),
        text(values, Knob.RNS_SERVER_URL),
        each(values, Knob.RNS_HOSTS, WebSettings::host),
        each(values, Knob.RNS_CORS_ORIGINS, WebSettings::origin));
  }

  private static List<String> each(Map<Knob, String> values, Knob knob, UnaryOperator<String> read) {
    try {
      return list(values.get(knob)).map(read).toList();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(knob + ": " + e.getMessage(), e);
    }
  }

  private static OverloadSettings overload(Map<Knob, String> values) {
    int places =
        OverloadSettings.places(number(values, Knob.RNS_CAPACITY), number(values, Knob.RNS_REQUEST_CAPACITY));
    return switch (oneOf(values, Knob.RNS_OVERLOAD, "off", "fixed", "adaptive")) {
      case "fixed" -> new OverloadSettings(OverloadSettings.Mode.FIXED, places);
      case "adaptive" -> new OverloadSettings(OverloadSettings.Mode.ADAPTIVE, places);
      default -> OverloadSettings.OFF;
    };
  }

  private static Site site(Map<Knob, String> values) {
    try {
      return new Site(values.get(Knob.RNS_SITE));
    } catch (RnsException e) {
      throw new IllegalArgumentException(Knob.RNS_SITE + "='" + values.get(Knob.RNS_SITE) + "': " + e.getMessage(), e);
    }
  }

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }

  private static Optional<GroupSettings> group(Map<Knob, String> values, String name, String databaseUrl) {
    String topology = oneOf(values, Knob.RNS_TOPOLOGY, "standalone", "source-replica", "group");
    String durability = oneOf(values, Knob.RNS_DURABILITY, "replicated", "local");
    String failover = oneOf(values, Knob.RNS_FAILOVER, "auto", "manual");
    if (topology.equals("standalone")) {
      return Optional.empty();
    }
    String servers = values.get(Knob.RNS_GROUP_SERVERS);
    return Optional.of(
        new GroupSettings(
            topology.equals("group") ? Topology.GROUP : Topology.SOURCE_REPLICA,
            name,
            address(Knob.RNS_SERVER_URL, required(values, Knob.RNS_SERVER_URL)),
            list(servers).map(server -> address(Knob.RNS_GROUP_SERVERS, server)).toList(),
            required(values, Knob.RNS_GROUP_SECRET),
            text(values, Knob.RNS_DB_ADDRESS).orElseGet(() -> databaseAddress(databaseUrl)),
            values.get(Knob.RNS_DB_CONTROL_USER),
            values.get(Knob.RNS_DB_CONTROL_PASSWORD),
            durability.equals("local") ? Durability.LOCAL : Durability.REPLICATED,
            // A primary that waits for no replica may have writes that no other member has.
            failover.equals("auto") && durability.equals("replicated")));
  }

  private static List<String> rootServers(Map<Knob, String> values) {
    List<String> servers =
        list(values.get(Knob.RNS_ROOT_SERVERS)).map(server -> address(Knob.RNS_ROOT_SERVERS, server)).toList();
    if (!servers.isEmpty()) {
      for (Knob needed : List.of(Knob.RNS_SERVER_URL, Knob.RNS_GROUP_SECRET)) {
        if (values.get(needed).isEmpty()) {
          throw new IllegalArgumentException(needed + " is empty; with " + Knob.RNS_ROOT_SERVERS + " it is needed");
        }
      }
      if (number(values, Knob.RNS_GROUP) == 0) {
        throw new IllegalArgumentException(
            Knob.RNS_GROUP + "='0'; with " + Knob.RNS_ROOT_SERVERS + " it has to be a number of its own, 1 or more");
      }
    }
    return servers;
  }

  private static PartitioningSettings partitioning(Map<Knob, String> values) {
    PlanSettings plan = PlanSettings.DEFAULT;
    QuietHours quiet;
    try {
      quiet = QuietHours.parse(values.get(Knob.RNS_PARTITION_QUIET_HOURS));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(Knob.RNS_PARTITION_QUIET_HOURS + ": " + e.getMessage(), e);
    }
    return new PartitioningSettings(
        Mode.valueOf(oneOf(values, Knob.RNS_PARTITIONING, "off", "suggest", "auto").toUpperCase(Locale.ROOT)),
        new BalancerSettings(
            plan.with(plan.writeCost(), (double) number(values, Knob.RNS_PARTITION_MINIMUM_LOAD), plan.moves())
                .withGain(number(values, Knob.RNS_PARTITION_GAIN) / PERCENT),
            millis(values, Knob.RNS_PARTITION_WINDOW),
            (int) number(values, Knob.RNS_PARTITION_WINDOWS),
            (int) number(values, Knob.RNS_PARTITION_MOVES_PER_HOUR),
            quiet,
            millis(values, Knob.RNS_PARTITION_REST)));
  }

  private static PoolSettings pools(Map<Knob, String> values) {
    Optional<InetAddress> address = text(values, Knob.RNS_POOL_ADDRESS).map(given -> ownAddress(values));
    for (Knob knob : List.of(Knob.RNS_POOL_MULTICAST, Knob.RNS_POOL_CERTIFICATE, Knob.RNS_POOL_KEY)) {
      if (address.isEmpty() && text(values, knob).isPresent()) {
        throw new IllegalArgumentException(Knob.RNS_POOL_ADDRESS + " is empty; with " + knob + " it is needed");
      }
    }
    List<InetSocketAddress> registrars =
        address.isEmpty()
            ? List.of()
            : list(values.get(Knob.RNS_POOL_REGISTRARS)).map(ServerConfig::registrar).toList();
    return new PoolSettings(
        address,
        (int) number(values, Knob.RNS_POOL_PORT),
        (int) number(values, Knob.RNS_POOL_PEERS_PORT),
        registrars,
        address.flatMap(given -> multicast(values)),
        millis(values, Knob.RNS_POOL_TTL),
        address.flatMap(given -> poolCertificate(values)));
  }

  private static Optional<Multicast> multicast(Map<Knob, String> values) {
    try {
      String service = values.getOrDefault(Knob.RNS_SERVER_URL, "");
      return text(values, Knob.RNS_POOL_MULTICAST).map(MulticastGroup::parse)
          .map(group -> new Multicast(group, service));
    } catch (RnsException e) {
      throw new IllegalArgumentException(Knob.RNS_POOL_MULTICAST + ": " + e.getMessage(), e);
    }
  }

  private static Optional<ClientCertificate> poolCertificate(Map<Knob, String> values) {
    Optional<Path> chain = place(values, Knob.RNS_POOL_CERTIFICATE);
    Optional<Path> key = place(values, Knob.RNS_POOL_KEY);
    if (chain.isEmpty() != key.isEmpty()) {
      throw new IllegalArgumentException(
          (chain.isEmpty() ? Knob.RNS_POOL_CERTIFICATE : Knob.RNS_POOL_KEY) + " is empty; a certificate needs its key");
    }
    try {
      return chain.map(file -> ClientCertificate.files(file, key.orElseThrow()));
    } catch (RnsException e) {
      throw new IllegalArgumentException(
          Knob.RNS_POOL_CERTIFICATE + ", " + Knob.RNS_POOL_KEY + ": " + e.getMessage(), e);
    }
  }

  private static Optional<DnsSettings> dns(Map<Knob, String> values, Optional<GroupSettings> group, String name) {
    Optional<String> zone = text(values, Knob.RNS_DNS_ZONE);
    Optional<LineLogSettings> log = log(values, Knob.RNS_DNS_LOG, name);
    if (zone.isEmpty() && log.isPresent()) {
      throw new IllegalArgumentException(
          Knob.RNS_DNS_ZONE + " is empty; with " + Knob.RNS_DNS_LOG + " it is needed");
    }
    if (zone.isEmpty()) {
      return Optional.empty();
    }
    InetAddress address = address(values, Knob.RNS_DNS_ADDRESS);
    // Names that another server of the group has made are known here; alone, those of this start are.
    String secret = group.map(GroupSettings::secret).orElseGet(() -> UUID.randomUUID().toString());
    try {
      InetSocketAddress place = new InetSocketAddress(address, (int) number(values, Knob.RNS_DNS_PORT));
      return Optional.of(DnsSettings.of(zone.get(), place, secret, log));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(Knob.RNS_DNS_ZONE + ": " + e.getMessage(), e);
    }
  }

  private static Optional<LineLogSettings> log(Map<Knob, String> values, Knob knob, String name) {
    return text(values, knob)
        .map(
            place -> {
              Path file = named(place, name);
              if (!file.isAbsolute() || file.getFileName() == null) {
                throw new IllegalArgumentException(
                    knob + "='" + place + "' is not the absolute path of a file");
              }
              return new LineLogSettings(
                  file, number(values, Knob.RNS_ACCESS_LOG_BYTES), (int) number(values, Knob.RNS_ACCESS_LOG_FILES));
            });
  }

  /** A path with the name of the server: servers with the same settings must not write the same file. */
  private static Path named(String place, String name) {
    return Path.of(place.replace("{name}", name.replaceAll("[^A-Za-z0-9._-]", "_")));
  }

  private static Optional<AuditSettings> audit(Map<Knob, String> values, String name) {
    boolean reads = oneOf(values, Knob.RNS_AUDIT_EVENTS, "changes", "all").equals("all");
    boolean refuses = oneOf(values, Knob.RNS_AUDIT_FULL, "continue", "refuse").equals("refuse");
    return text(values, Knob.RNS_AUDIT)
        .map(
            place -> {
              Path directory = named(place, name);
              if (!directory.isAbsolute() || directory.getFileName() == null) {
                throw new IllegalArgumentException(
                    Knob.RNS_AUDIT + "='" + place + "' is not the absolute path of a directory");
              }
              return new AuditSettings(
                  directory, reads, number(values, Knob.RNS_AUDIT_BYTES), (int) number(values, Knob.RNS_AUDIT_FILES),
                  refuses, name);
            });
  }

  private static InetAddress address(Map<Knob, String> values, Knob knob) {
    try {
      return InetAddress.getByName(values.get(knob));
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(knob + "='" + values.get(knob) + "' is not an address of this host", e);
    }
  }

  /** An address usable by other machines. */
  private static InetAddress ownAddress(Map<Knob, String> values) {
    InetAddress address = address(values, Knob.RNS_POOL_ADDRESS);
    if (address.isAnyLocalAddress()) {
      throw new IllegalArgumentException(
          Knob.RNS_POOL_ADDRESS + "='" + values.get(Knob.RNS_POOL_ADDRESS)
              + "' stands for all addresses; other servers need a specific one");
    }
    return address;
  }

  /** Looked up when it is needed: the host may become known later. */
  private static InetSocketAddress registrar(String place) {
    Matcher parts = REGISTRAR.matcher(place);
    int port = parts.matches() ? Integer.parseInt(parts.group(3)) : 0;
    if (port < 1 || port > 0xffff) {
      throw new IllegalArgumentException(
          Knob.RNS_POOL_REGISTRARS + ": '" + place + "' is not a place like host:9901 or [2001:db8::1]:9901");
    }
    return InetSocketAddress.createUnresolved(parts.group(1) == null ? parts.group(2) : parts.group(1), port);
  }

  private static Stream<String> list(String value) {
    return Stream.of(value.split(",")).map(String::trim).filter(text -> !text.isEmpty());
  }

  private static String oneOf(Map<Knob, String> values, Knob knob, String... allowed) {
    String value = values.get(knob);
    if (!List.of(allowed).contains(value)) {
      throw new IllegalArgumentException(knob + "='" + value + "' is none of " + String.join(", ", allowed));
    }
    return value;
  }

  private static String required(Map<Knob, String> values, Knob knob) {
    return text(values, knob)
        .orElseThrow(
            () -> new IllegalArgumentException(
                knob + " is empty; with " + Knob.RNS_TOPOLOGY + "='" + values.get(Knob.RNS_TOPOLOGY)
                    + "' it is needed"));
  }

  /** An address as members compare it: without a slash at the end. */
  private static String address(Knob knob, String server) {
    try {
      var unused = RnsClient.soapEndpoint(new URI(server));
    } catch (URISyntaxException | RnsException e) {
      throw new IllegalArgumentException(knob + ": '" + server + "' is not an address like http://host:8080/rns", e);
    }
    return server.replaceFirst("/+$", "");
  }

  private static String databaseAddress(String url) {
    Matcher address = DATABASE_ADDRESS.matcher(url);
    if (!address.find()) {
      throw new IllegalArgumentException(
          Knob.RNS_DB_URL + "='" + url + "' contains no host and port; set them by " + Knob.RNS_DB_ADDRESS);
    }
    return address.group(1);
  }

  private static Optional<String> text(Map<Knob, String> values, Knob knob) {
    return Optional.of(values.get(knob)).filter(text -> !text.isEmpty());
  }

  private static long number(Map<Knob, String> values, Knob knob) {
    return Long.parseLong(values.get(knob));
  }

  private static Duration millis(Map<Knob, String> values, Knob knob) {
    return Duration.ofMillis(number(values, knob));
  }
}
