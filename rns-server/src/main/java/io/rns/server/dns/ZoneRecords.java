package io.rns.server.dns;

import io.rns.pool.PolicyType;
import io.rns.pool.PoolResolution;
import io.rns.pool.PoolResolution.Selected;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.xbill.DNS.AAAARecord;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.SRVRecord;
import org.xbill.DNS.Type;

/** Makes records of locations. */
final class ZoneRecords {
  /** Maximum records of one answer: clients get more from the registrar. */
  static final int RECORDS = 32;

  private static final int MOST_WEIGHT = 65_535;

  /** The name of an address means that address for ever. */
  private static final long HOST_TTL = 3_600;

  private ZoneRecords() {}

  /**
   * The addresses of hosts. If the first one has a name and no address, the asker is sent on to that name: to look it
   * up here would make all clients wait for foreign servers.
   */
  static DnsAnswer addresses(Name owner, int type, List<Location> locations, long ttl) {
    if (!locations.isEmpty() && locations.get(0).address().isEmpty()) {
      return new DnsAnswer.Found(List.of(new CNAMERecord(owner, DClass.IN, ttl, locations.get(0).host())), List.of());
    }
    // By address: to compare records is to write them.
    Set<InetAddress> told = new HashSet<>();
    List<Record> records = new ArrayList<>();
    for (Location location : locations) {
      location.address().filter(told::add).flatMap(address -> address(owner, type, address, ttl))
          .ifPresent(records::add);
    }
    return found(records.stream().limit(RECORDS).toList(), List.of());
  }

  /** The address record of a host that is known by its address. */
  static DnsAnswer host(Name owner, int type, InetAddress address) {
    return found(address(owner, type, address, HOST_TTL).stream().toList(), List.of());
  }

  private static Optional<Record> address(Name owner, int type, InetAddress address, long ttl) {
    boolean v4 = address instanceof Inet4Address;
    if (type != (v4 ? Type.A : Type.AAAA)) {
      return Optional.empty();
    }
    return Optional
        .of(v4 ? new ARecord(owner, DClass.IN, ttl, address) : new AAAARecord(owner, DClass.IN, ttl, address));
  }

  /** The servers, each as good as the others. */
  static DnsAnswer servers(Name owner, List<Location> locations, long ttl) {
    List<Record> records = new ArrayList<>();
    for (Location location : locations) {
      records.add(new SRVRecord(owner, DClass.IN, ttl, 0, 0, location.port(), location.host()));
    }
    return withHosts(records, locations);
  }

  /**
   * The endpoints of a pool that have a scheme. The order of the policy becomes the priority. Where that order was
   * drawn, clients that cache the answer shall draw again: then all first endpoints have one priority, and the weights
   * of the policy.
   */
  static DnsAnswer service(Name owner, String scheme, PoolResolution pool, long ttl, Locations known) {
    boolean drawn = pool.policy() == PolicyType.RANDOM || pool.policy() == PolicyType.WEIGHTED_RANDOM;
    boolean weighted = pool.policy() == PolicyType.WEIGHTED_RANDOM;
    long heaviest = pool.elements().stream().mapToLong(ZoneRecords::weight).max().orElse(1);
    List<Record> records = new ArrayList<>();
    List<Location> locations = new ArrayList<>();
    for (Selected element : pool.elements()) {
      int place = 0;
      for (Location location : locations(element, known)) {
        if (location.scheme().equals(scheme) && location.port() != 0 && records.size() < RECORDS) {
          int weight = !drawn ? 0 : weighted ? scaled(weight(element), heaviest) : 1;
          int priority = drawn ? place : records.size();
          records.add(new SRVRecord(owner, DClass.IN, ttl, priority, weight, location.port(), location.host()));
          locations.add(location);
          place++;
        }
      }
    }
    return withHosts(records, locations);
  }

  /** The locations of an element, as far as it has any. */
  static List<Location> locations(Selected element, Locations known) {
    return element.endpoints().stream().flatMap(endpoint -> known.of(endpoint.address()).stream()).toList();
  }

  private static long weight(Selected element) {
    return element.standing().parameters().weight();
  }

  private static int scaled(long weight, long heaviest) {
    return heaviest <= MOST_WEIGHT ? (int) weight
        : (int) Math.max(Math.min(1, weight), weight * MOST_WEIGHT / heaviest);
  }

  private static DnsAnswer withHosts(List<Record> records, List<Location> locations) {
    return found(records, hosts(locations));
  }

  /** The address records of the hosts whose names are made here. */
  static List<Record> hosts(List<Location> locations) {
    Set<InetAddress> told = new HashSet<>();
    List<Record> hosts = new ArrayList<>();
    for (Location location : locations) {
      location
          .address()
          .filter(told::add)
          .flatMap(address -> address(location.host(), address instanceof Inet4Address ? Type.A : Type.AAAA, address,
              HOST_TTL))
          .ifPresent(hosts::add);
    }
    return hosts;
  }

  private static DnsAnswer found(List<Record> records, List<Record> more) {
    return records.isEmpty() ? new DnsAnswer.NoData() : new DnsAnswer.Found(records, more);
  }
}
