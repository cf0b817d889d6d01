package io.rns.server.group;

import java.util.HashSet;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices that access rules do not mean the same at all servers of a group: the setting is one of each server, and one
 * that is left open answers everybody. Used by one thread.
 */
final class AccessModes {
  private static final Logger LOG = LoggerFactory.getLogger(AccessModes.class);

  private Optional<String> known = Optional.empty();

  /**
   * What differs, for people; empty if nothing does.
   *
   * @param modes by the names of servers
   */
  static Optional<String> difference(SortedMap<String, String> modes) {
    return new HashSet<>(modes.values()).size() < 2
        ? Optional.empty()
        : Optional.of(
            modes.entrySet().stream().map(each -> each.getKey() + " " + each.getValue())
                .collect(Collectors.joining(", ")));
  }

  /** Logs what differs, once. */
  void look(SortedMap<String, String> modes) {
    Optional<String> now = difference(modes);
    if (!now.equals(known)) {
      now.ifPresentOrElse(
          what -> LOG.warn("access (RNS_ACCESS) differs among the servers of the group: {}", what),
          () -> LOG.info("access is the same at all servers of the group that answer"));
      known = now;
    }
  }
}
