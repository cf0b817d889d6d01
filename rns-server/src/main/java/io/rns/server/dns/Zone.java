package io.rns.server.dns;

import io.rns.api.RnsPath;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.pool.PoolResolution;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xbill.DNS.DClass;
import org.xbill.DNS.NSRecord;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.SOARecord;
import org.xbill.DNS.TextParseException;
import org.xbill.DNS.Type;

/** Answers questions about the names of the zone. */
final class Zone {
  /** Maximum elements of a pool in an answer. */
  static final int ELEMENTS = 8;

  /** How long others may keep that there is nothing, in seconds: a pool that has just begun shall be found. */
  static final long NOTHING_TTL = 2;

  /** Longest time for which others may keep elements of a pool, in seconds. */
  static final long MOST_TTL = 300;

  private static final Logger LOG = LoggerFactory.getLogger(Zone.class);

  /** What the name of the zone leaves is enough for the name of any host. */
  private static final int ZONE_BYTES = 170;

  private static final long MILLIS = 1_000;

  private final Name origin;
  private final Locations locations;
  private final ZoneNames names;
  private final long serversTtl;
  private final DnsSource source;
  private final TwinQuestions twins;

  /**
   * The zone of a source.
   *
   * @param nanos a clock that only goes forward, in nanoseconds
   */
  Zone(DnsSettings settings, DnsSource source, LongSupplier nanos) {
    this.origin = origin(settings.zone());
    HostNames hosts = new HostNames(origin, settings.secret());
    this.locations = new Locations(hosts);
    this.names = new ZoneNames(origin, hosts);
    this.serversTtl = settings.serversTtl().toSeconds();
    this.source = source;
    this.twins = new TwinQuestions(nanos);
  }

  static Name origin(String zone) {
    try {
      Name origin = Name.fromString(zone, Name.root);
      if (origin.length() <= ZONE_BYTES && origin.labels() > 1) {
        return origin;
      }
    } catch (TextParseException e) {
      throw new IllegalArgumentException("'" + zone + "' is not the name of a zone: " + e.getMessage(), e);
    }
    throw new IllegalArgumentException("'" + zone + "' is not the name of a zone of 1 to " + ZONE_BYTES + " bytes");
  }

  /**
   * Answers; never throws. A question for what a pool has counts as one selection, any other as none.
   *
   * @param asker where the question comes from
   */
  DnsAnswer answer(Name name, int type, InetAddress asker) {
    try {
      return answer(names.meaningOf(name), name, type, asker);
    } catch (RnsException e) {
      return failed(e);
    } catch (RuntimeException e) {
      LOG.error("a query for {} cannot be answered", name, e);
      return new DnsAnswer.Failed();
    }
  }

  private DnsAnswer answer(Meaning meaning, Name name, int type, InetAddress asker) {
    if (meaning instanceof Meaning.Foreign) {
      return new DnsAnswer.Refused();
    }
    if (type == Type.AXFR || type == Type.IXFR) {
      return new DnsAnswer.Refused();
    }
    if (type == Type.ANY) {
      return new DnsAnswer.NotImplemented();
    }
    boolean addresses = type == Type.A || type == Type.AAAA;
    return switch (meaning) {
      case Meaning.Foreign() -> new DnsAnswer.Refused();
      case Meaning.Nothing() -> new DnsAnswer.NoSuchName();
      case Meaning.Between() -> new DnsAnswer.NoData();
      case Meaning.Apex() -> apex(type);
      case Meaning.Host(var address) -> ZoneRecords.host(name, type, address);
      case Meaning.ServerHosts() when addresses -> ZoneRecords.addresses(name, type, servers(), serversTtl);
      case Meaning.ServerService() when type == Type.SRV -> ZoneRecords.servers(name, servers(), serversTtl);
      case Meaning.Pool(var path) when addresses ->
        ofPool(path, () -> twins.resolve(asker, path, type, () -> select(path)), pool -> addresses(name, type, pool));
      case Meaning.PoolService(var path, var scheme) when type == Type.SRV ->
        ofPool(path, () -> select(path), pool -> ZoneRecords.service(name, scheme, pool, ttl(pool), locations));
      // Only queries that use a pool reveal it: looking for it would count as a selection.
      case Meaning.ServerHosts() -> new DnsAnswer.NoData();
      case Meaning.ServerService() -> new DnsAnswer.NoData();
      case Meaning.Pool(var path) -> new DnsAnswer.NoData();
      case Meaning.PoolService(var path, var scheme) -> new DnsAnswer.NoData();
    };
  }

  private DnsAnswer addresses(Name name, int type, PoolResolution pool) {
    List<Location> all = new ArrayList<>();
    pool.elements().forEach(element -> all.addAll(ZoneRecords.locations(element, locations)));
    return ZoneRecords.addresses(name, type, all, ttl(pool));
  }

  private static long ttl(PoolResolution pool) {
    return Math.min(pool.ttlMillis() / MILLIS, MOST_TTL);
  }

  private PoolResolution select(RnsPath path) {
    return source.pools().resolve(path, ELEMENTS);
  }

  private DnsAnswer ofPool(
      RnsPath path, Supplier<PoolResolution> selection, Function<PoolResolution, DnsAnswer> answer) {
    PoolResolution pool;
    try {
      pool = selection.get();
    } catch (RnsException e) {
      if (e.error().kind() != RnsError.Kind.CALLER) {
        return failed(e);
      }
      return source.mayHavePoolsBelow(path) ? new DnsAnswer.NoData() : new DnsAnswer.NoSuchName();
    }
    return answer.apply(pool);
  }

  private static DnsAnswer failed(RnsException e) {
    LOG.debug("a query cannot be answered now: {}", e.toString());
    return new DnsAnswer.Failed();
  }

  private DnsAnswer apex(int type) {
    return switch (type) {
      case Type.SOA -> new DnsAnswer.Found(List.of(authority()), List.of());
      case Type.NS -> {
        List<Record> records = new ArrayList<>();
        nameServers().forEach(server -> records.add(new NSRecord(origin, DClass.IN, serversTtl, server)));
        yield new DnsAnswer.Found(records, List.of());
      }
      default -> new DnsAnswer.NoData();
    };
  }

  /** What stands in an answer that has nothing: how long that may be kept. */
  Record authority() {
    Name primary = nameServers().iterator().next();
    return new SOARecord(
        origin, DClass.IN, NOTHING_TTL, primary, below("hostmaster"), 1, 3_600, 600, 86_400, NOTHING_TTL);
  }

  /** The names of the servers' hosts; those that have none share one. */
  private Set<Name> nameServers() {
    Set<Name> servers = new LinkedHashSet<>();
    for (Location server : servers()) {
      servers.add(server.address().isPresent() ? below(ZoneNames.SERVERS) : server.host());
    }
    if (servers.isEmpty()) {
      servers.add(below(ZoneNames.SERVERS));
    }
    return servers;
  }

  /**
   * The servers, those with addresses first: the name that they share is then no alias, which a name server must not
   * be.
   */
  private List<Location> servers() {
    List<Location> servers = new ArrayList<>();
    source.servers().forEach(server -> locations.of(server.toString()).ifPresent(servers::add));
    servers.sort((a, b) -> Boolean.compare(b.address().isPresent(), a.address().isPresent()));
    return servers;
  }

  private Name below(String label) {
    try {
      return new Name(label, origin);
    } catch (TextParseException e) {
      throw new IllegalStateException("the zone's name is too long for " + label, e);
    }
  }
}
