package io.rns.client.pool;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * How many requests wait at a socket of this machine, as the kernel counts them: connections that nobody has accepted
 * yet, or datagrams that nobody has read. For {@link Admission#queue}. Linux only; reads {@code /proc/self/net} at most
 * every {@value #FRESH_MILLIS} ms. Safe for use by many threads.
 */
public final class SocketBacklog implements IntSupplier {
  /** How long a count is used. */
  static final long FRESH_MILLIS = 5;

  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final String LISTENING = "0A";
  private static final int LOCAL_ADDRESS = 1;
  private static final int STATE = 3;
  private static final int QUEUES = 4;
  private static final int HEXADECIMAL = 16;

  private final List<Path> tables;
  private final boolean isTcp;
  private final int port;
  private final int bytesOfEach;
  private final LongSupplier nanoTime;
  private long countedAt;
  private int waiting;

  SocketBacklog(List<Path> tables, boolean isTcp, int port, int bytesOfEach, LongSupplier nanoTime) {
    this.tables = tables;
    this.isTcp = isTcp;
    this.port = port;
    this.bytesOfEach = bytesOfEach;
    this.nanoTime = nanoTime;
    this.countedAt = nanoTime.getAsLong();
    this.waiting = first();
  }

  /**
   * The connections that wait to be accepted.
   *
   * @param port where this machine listens
   * @throws RnsException {@link RnsError#UNAVAILABLE} if no socket listens there, or this is not Linux
   */
  public static SocketBacklog tcp(int port) {
    return new SocketBacklog(tables("tcp"), true, port, 1, System::nanoTime);
  }

  /**
   * The datagrams that wait to be read.
   *
   * @param port where this machine receives
   * @param bytesOfEach what the kernel counts for one, above its length: 768 for up to about 200 bytes; at least 1
   * @throws RnsException {@link RnsError#UNAVAILABLE} if no socket receives there, or this is not Linux;
   *         {@link RnsError#INVALID_REQUEST}
   */
  public static SocketBacklog udp(int port, int bytesOfEach) {
    if (bytesOfEach < 1) {
      throw new RnsException(RnsError.INVALID_REQUEST, "a datagram of " + bytesOfEach + " bytes is invalid");
    }
    return new SocketBacklog(tables("udp"), false, port, bytesOfEach, System::nanoTime);
  }

  private static List<Path> tables(String protocol) {
    Path directory = Path.of("/proc/self/net");
    return List.of(directory.resolve(protocol), directory.resolve(protocol + "6"));
  }

  private int first() {
    try {
      OptionalLong counted = count();
      if (counted.isPresent()) {
        return requests(counted.getAsLong());
      }
    } catch (IOException e) {
      throw new RnsException(RnsError.UNAVAILABLE, "the queue of port " + port + " cannot be read: " + e, e);
    }
    throw new RnsException(RnsError.UNAVAILABLE, "no socket of this machine has the port " + port);
  }

  private int requests(long counted) {
    return (int) Math.min(Integer.MAX_VALUE, (counted + bytesOfEach - 1) / bytesOfEach);
  }

  /** How many wait; 0 once the socket is closed. */
  @Override
  public synchronized int getAsInt() {
    long now = nanoTime.getAsLong();
    if (now - countedAt >= FRESH_MILLIS * NANOS_PER_MILLI) {
      countedAt = now;
      try {
        waiting = requests(count().orElse(0));
      } catch (IOException e) {
        // Until the kernel answers again, what was counted last holds: the caller is about to report it in any case.
      }
    }
    return waiting;
  }

  /** The sum over all sockets of the port; empty if there is none. */
  private OptionalLong count() throws IOException {
    OptionalLong sum = OptionalLong.empty();
    for (Path table : tables) {
      if (Files.exists(table)) {
        OptionalLong more = count(table);
        sum = more.isEmpty() ? sum : OptionalLong.of(sum.orElse(0) + more.getAsLong());
      }
    }
    return sum;
  }

  private OptionalLong count(Path table) throws IOException {
    String ending = ":" + HexFormat.of().withUpperCase().toHexDigits((char) port);
    OptionalLong sum = OptionalLong.empty();
    try (BufferedReader lines = Files.newBufferedReader(table, StandardCharsets.US_ASCII)) {
      String unused = lines.readLine();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] fields = line.strip().split("\\s+", -1);
        if (isTcp && !fields[STATE].equals(LISTENING)) {
          // Those that listen come first; there may be many connections.
          return sum;
        }
        if (fields[LOCAL_ADDRESS].endsWith(ending)) {
          String received = fields[QUEUES].substring(fields[QUEUES].indexOf(':') + 1);
          sum = OptionalLong.of(sum.orElse(0) + Long.parseLong(received, HEXADECIMAL));
        }
      }
    }
    return sum;
  }
}
