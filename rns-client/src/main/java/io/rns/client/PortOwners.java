package io.rns.client;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Whose processes listen on the ports of this machine, as its kernel reports (Linux, {@code /proc/net/tcp}). Immutable.
 *
 * @param tables the directory of the tables {@code tcp} and {@code tcp6}
 */
record PortOwners(Path tables) {
  static final PortOwners SYSTEM = new PortOwners(Path.of("/proc/net"));

  static final String LOOPBACK = "127.0.0.1";

  private static final int LOCAL_ADDRESS = 1;
  private static final int STATE = 3;
  private static final int USER = 7;
  private static final String LISTENING = "0A";
  private static final int WORD_DIGITS = 8;
  private static final int HEXADECIMAL = 16;

  /** A listening socket, and the user by number to whom it belongs. */
  private record Listener(InetAddress address, int port, int user) {}

  /**
   * The users, by number, whose sockets get connections to a port of 127.0.0.1. A socket that listens at this address
   * gets them before sockets that listen at all addresses.
   *
   * @return none if nothing listens; empty if the kernel does not report it
   */
  Optional<Set<Integer>> of(int port) {
    List<Listener> listeners = new ArrayList<>();
    try {
      listeners.addAll(listeners(tables.resolve("tcp")));
      Path ipv6 = tables.resolve("tcp6");
      if (Files.exists(ipv6)) {
        listeners.addAll(listeners(ipv6));
      }
    } catch (IOException | NumberFormatException e) {
      return Optional.empty();
    }
    listeners.removeIf(listener -> listener.port() != port);
    Set<Integer> here = users(listeners, address -> address.getHostAddress().equals(LOOPBACK));
    return Optional.of(here.isEmpty() ? users(listeners, InetAddress::isAnyLocalAddress) : here);
  }

  private static Set<Integer> users(List<Listener> listeners, Predicate<InetAddress> address) {
    return listeners.stream().filter(listener -> address.test(listener.address())).map(Listener::user)
        .collect(Collectors.toSet());
  }

  private static List<Listener> listeners(Path table) throws IOException {
    List<Listener> listeners = new ArrayList<>();
    for (String line : Files.readAllLines(table, StandardCharsets.US_ASCII)) {
      String[] fields = line.strip().split("\\s+", -1);
      if (fields.length > USER && fields[STATE].equals(LISTENING)) {
        String[] local = fields[LOCAL_ADDRESS].split(":", 2);
        listeners.add(
            new Listener(
                address(local[0]), Integer.parseInt(local[1], HEXADECIMAL), Integer.parseUnsignedInt(fields[USER])));
      }
    }
    return listeners;
  }

  /** An address, which the kernel writes as words of its own byte order; IPv4 in IPv6 becomes IPv4. */
  private static InetAddress address(String digits) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(digits.length() / 2).order(ByteOrder.nativeOrder());
    for (int at = 0; at + WORD_DIGITS <= digits.length(); at += WORD_DIGITS) {
      bytes.putInt(Integer.parseUnsignedInt(digits.substring(at, at + WORD_DIGITS), HEXADECIMAL));
    }
    return InetAddress.getByAddress(bytes.array());
  }
}
