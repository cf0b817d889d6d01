package io.rns.front;

import java.io.IOException;
import java.net.Inet4Address;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Connections of an address that belong to the kernel alone: they begin, or their program has closed them and the other
 * side has not confirmed all. Without the address the kernel cannot go on with them.
 */
final class UnsettledConnections {
  /** The state of those that begin, SYN_RECV, as the lists have it. */
  static final Set<String> BEGINNING = Set.of("03");
  /** The states of those that a program has closed: FIN_WAIT1, LAST_ACK and CLOSING. */
  static final Set<String> ENDING = Set.of("04", "09", "0B");

  private static final List<Path> LISTS = List.of(Path.of("/proc/net/tcp"), Path.of("/proc/net/tcp6"));
  private static final int LOCAL = 1;
  private static final int STATE = 3;

  private UnsettledConnections() {}

  /** Whether there is one in some states. */
  static boolean any(Inet4Address address, Set<String> states) throws IOException {
    byte[] octets = address.getAddress();
    String shown = String.format(Locale.ROOT, "%02X%02X%02X%02X:", octets[3], octets[2], octets[1], octets[0]);
    for (Path list : LISTS) {
      try (Stream<String> lines = Files.lines(list, StandardCharsets.US_ASCII)) {
        if (lines.anyMatch(line -> isUnsettled(line, shown, states))) {
          return true;
        }
      } catch (NoSuchFileException e) {
        // A machine without IPv6.
      }
    }
    return false;
  }

  private static boolean isUnsettled(String line, String address, Set<String> states) {
    if (!line.contains(address)) {
      return false;
    }
    String[] fields = line.strip().split(" +", STATE + 2);
    return fields.length > STATE && fields[LOCAL].contains(address) && states.contains(fields[STATE]);
  }
}
