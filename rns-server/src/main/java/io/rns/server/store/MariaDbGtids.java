package io.rns.server.store;

import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What the global transaction ids of MariaDB say. One is {@code domain-server-sequence}: the server that committed it
 * first, and its place in the order of the domain, which all members share.
 */
final class MariaDbGtids {
  private MariaDbGtids() {}

  private record Gtid(long domain, long server, long sequence) {
    static Gtid parse(String text) {
      String[] parts = text.split("-", -1);
      if (parts.length != 3) {
        throw new IllegalArgumentException("not a global transaction id of MariaDB: " + text);
      }
      return new Gtid(Long.parseLong(parts[0]), Long.parseUnsignedLong(parts[1]), Long.parseUnsignedLong(parts[2]));
    }

    Gtid later(Gtid other) {
      return Long.compareUnsigned(sequence, other.sequence) >= 0 ? this : other;
    }

    @Override
    public String toString() {
      return domain + "-" + Long.toUnsignedString(server) + "-" + Long.toUnsignedString(sequence);
    }
  }

  private static List<Gtid> list(String text) {
    return Arrays.stream(text.split(",", -1)).map(String::strip).filter(each -> !each.isEmpty()).map(Gtid::parse)
        .toList();
  }

  /** The later one of two positions, in each domain. */
  static String union(String one, String other) {
    Map<Long, Gtid> last = new TreeMap<>();
    list(one + "," + other).forEach(each -> last.merge(each.domain(), each, Gtid::later));
    return last.values().stream().map(Gtid::toString).collect(Collectors.joining(","));
  }

  /**
   * What a history was when it ended at a position.
   *
   * @param history the last transaction of each domain and server
   * @param position the last transaction of each domain
   */
  static String upTo(String history, String position) {
    Map<Long, Gtid> end = new HashMap<>();
    list(position).forEach(each -> end.put(each.domain(), each));
    Map<List<Long>, Gtid> last = new LinkedHashMap<>();
    for (Gtid each : list(history)) {
      Gtid bound = end.get(each.domain());
      if (bound != null && Long.compareUnsigned(each.sequence(), bound.sequence()) < 0) {
        last.merge(List.of(each.domain(), each.server()), each, Gtid::later);
      }
    }
    // The last one in the list is the last one of its domain.
    for (Gtid each : end.values()) {
      last.remove(List.of(each.domain(), each.server()));
      last.put(List.of(each.domain(), each.server()), each);
    }
    return last.values().stream().map(Gtid::toString).collect(Collectors.joining(","));
  }

  /**
   * Whether a history has what a position names. Two members that both went on from the same place have the same
   * sequence numbers for different transactions, so it is asked whose they are as well.
   *
   * @param history the last transaction of each domain and server
   * @param position the last transaction of each domain
   */
  static boolean contains(String history, String position) {
    Map<List<Long>, Gtid> last = new HashMap<>();
    list(history).forEach(each -> last.merge(List.of(each.domain(), each.server()), each, Gtid::later));
    return list(position).stream()
        .allMatch(
            each -> {
              Gtid own = last.get(List.of(each.domain(), each.server()));
              return own != null && Long.compareUnsigned(own.sequence(), each.sequence()) >= 0;
            });
  }
}
