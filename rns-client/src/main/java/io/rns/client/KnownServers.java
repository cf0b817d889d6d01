package io.rns.client;

import io.rns.api.RnsPath;
import io.rns.referral.Announcement;
import io.rns.referral.Referral;
import io.rns.referral.ReferralTable;
import io.rns.referral.ServerRole;
import io.rns.referral.Site;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The servers in a table of referrals, by the parts of the tree, each part with the client's own ones that it does not
 * name. Made once for each table, so that a call parses no address. Immutable.
 */
final class KnownServers {
  private final ReferralTable table;
  private final Map<RnsPath, Part> parts;
  private final Part own;
  private final boolean divided;

  /**
   * A server with its announcement.
   *
   * @param told whether a server reported it; otherwise only the address is known
   */
  record Known(Server server, Announcement announcement, boolean told) {}

  /**
   * The servers for a part of the tree.
   *
   * @param servers those that can be asked, one or more
   * @param others those that cannot: one of too many, or no address of a server
   * @param group their server group, as reported; empty if that is not known
   */
  record Part(List<Known> servers, List<Announcement> others, OptionalInt group) {
    /** Copies. */
    Part {
      servers = List.copyOf(servers);
      others = List.copyOf(others);
    }
  }

  private KnownServers(ReferralTable table, Map<RnsPath, Part> parts, Part own) {
    this.table = table;
    this.parts = Map.copyOf(parts);
    this.own = own;
    this.divided = parts.keySet().stream().anyMatch(prefix -> !prefix.isRoot());
  }

  /** The servers of a table. Servers no longer reported make room for others. */
  static KnownServers of(ReferralTable table, Servers servers) {
    Set<String> addresses = new LinkedHashSet<>();
    table.rows().forEach(row -> row.referral().servers().forEach(server -> addresses.add(server.url())));
    Map<String, Server> found = find(addresses, servers);
    if (found.size() < addresses.size()) {
      servers.forgetAllBut(new HashSet<>(found.values()));
      found = find(addresses, servers);
    }
    Map<RnsPath, Part> parts = new HashMap<>();
    for (ReferralTable.Row row : table.rows()) {
      parts.put(row.referral().prefix(), part(row.referral(), found, servers.own()));
    }
    return new KnownServers(table, parts,
        new Part(servers.own().stream().map(KnownServers::named).toList(), List.of(), OptionalInt.empty()));
  }

  private static Map<String, Server> find(Set<String> addresses, Servers servers) {
    Map<String, Server> found = new HashMap<>();
    for (String address : addresses) {
      servers.at(address).ifPresent(server -> found.put(address, server));
    }
    return found;
  }

  private static Part part(Referral referral, Map<String, Server> found, List<Server> own) {
    List<Known> known = new ArrayList<>();
    List<Announcement> others = new ArrayList<>();
    List<Server> unnamed = new ArrayList<>(own);
    for (Announcement announcement : referral.servers()) {
      Server server = found.get(announcement.url());
      if (server == null) {
        others.add(announcement);
      } else {
        unnamed.remove(server);
        known.add(new Known(server, announcement, true));
      }
    }
    unnamed.forEach(server -> known.add(named(server)));
    return new Part(known, others, referral.group());
  }

  /** A server of which only the address is known: it may be anything. */
  private static Known named(Server server) {
    String address = server.endpoint().toString();
    return new Known(
        server, new Announcement(address, address, ServerRole.REPLICA, Site.NONE, 1, 0, 0, Optional.empty()), false);
  }

  /** Whether these are the servers of a table. */
  @SuppressWarnings("ReferenceEquality") // news make another table
  boolean isOf(ReferralTable other) {
    return table == other;
  }

  /** Whether servers are reported for parts of the tree, and not only for all of it. */
  boolean isDivided() {
    return divided;
  }

  /** The narrowest part that a place is in, of the reported parts; the root if there is none. */
  RnsPath prefix(Subject.Place place, long nowNanos) {
    Optional<ReferralTable.Row> row =
        place.group().isPresent()
            ? table.ofGroup(place.group().getAsInt(), nowNanos)
            : table.at(place.directory(), nowNanos);
    return row.map(known -> known.referral().prefix()).orElse(RnsPath.ROOT);
  }

  /** The reported parts, and the root, which is the first. */
  List<RnsPath> parts(long nowNanos) {
    Stream<RnsPath> reported =
        table.rows().stream().filter(row -> row.nanosLeft(nowNanos) > 0).map(row -> row.referral().prefix());
    return Stream.concat(Stream.of(RnsPath.ROOT), reported).distinct().sorted().toList();
  }

  /** The servers for the content of a directory; the client's own without a valid report. */
  Part at(RnsPath path, long nowNanos) {
    return table.at(path, nowNanos).map(row -> parts.get(row.referral().prefix())).orElse(own);
  }

  /** Those of all parts that can be asked, and the client's own, each once. */
  Set<Server> all() {
    Set<Server> all = new LinkedHashSet<>();
    own.servers().forEach(known -> all.add(known.server()));
    parts.values().forEach(part -> part.servers().forEach(known -> all.add(known.server())));
    return all;
  }
}
