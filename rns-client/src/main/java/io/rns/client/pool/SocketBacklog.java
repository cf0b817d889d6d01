package io.rns.client.pool;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.BufferedReader;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * How many requests wait at the sockets that a port of this machine has when this is made, as the kernel counts them:
 * connections that nobody has accepted yet, or datagrams that nobody has read. For {@link Admission#queue}. Linux only;
 * reads {@code /proc/self/net} at most every {@value #FRESH_MILLIS} ms. Safe for use by many threads.
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
  /** Less than a line: the kernel looks up no more lines than a read has room for. */
  private static final int READ_BYTES = 100;

  /** Those of the tables that have sockets of the port. */
  private final List<Table> tables = new ArrayList<>();
  private final boolean isTcp;
  private final int port;
  private final int bytesOfEach;
  private final LongSupplier nanoTime;
  private long countedAt;
  private int waiting;

  private record Table(Path path, int sockets) {}

  /** What sockets have received, and how many they are. */
  private record Count(long received, int sockets) {}

  SocketBacklog(List<Path> paths, boolean isTcp, int port, int bytesOfEach, LongSupplier nanoTime) {
    this.isTcp = isTcp;
    this.port = port;
    this.bytesOfEach = bytesOfEach;
    this.nanoTime = nanoTime;
    this.countedAt = nanoTime.getAsLong();
    this.waiting = first(paths);
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

  private int first(List<Path> paths) {
    long received = 0;
    try {
      for (Path path : paths) {
        Count found = Files.exists(path) ? count(new Table(path, Integer.MAX_VALUE)) : new Count(0, 0);
        received += found.received();
        if (found.sockets() > 0) {
          tables.add(new Table(path, found.sockets()));
        }
      }
    } catch (IOException e) {
      throw new RnsException(RnsError.UNAVAILABLE, "the queue of port " + port + " cannot be read: " + e, e);
    }
    if (tables.isEmpty()) {
      throw new RnsException(RnsError.UNAVAILABLE, "no socket of this machine has the port " + port);
    }
    return requests(received);
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
        long received = 0;
        for (Table table : tables) {
          received += count(table).received();
        }
        waiting = requests(received);
      } catch (IOException e) {
        // Until the kernel answers again, what was counted last holds: the caller is about to report it in any case.
      }
    }
    return waiting;
  }

  /**
   * Ends with the last socket of the port: behind those that listen, the kernel would look for connections, which takes
   * it many milliseconds on a machine with much memory.
   */
  private Count count(Table table) throws IOException {
    String ending = ":" + HexFormat.of().withUpperCase().toHexDigits((char) port);
    long received = 0;
    int sockets = 0;
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(inParts(table.path()), StandardCharsets.US_ASCII))) {
      String unused = lines.readLine();
      while (sockets < table.sockets()) {
        String line = lines.readLine();
        String[] fields = line == null ? new String[0] : line.strip().split("\\s+", -1);
        // Those that listen come first.
        if (line == null || (isTcp && !fields[STATE].equals(LISTENING))) {
          break;
        }
        if (fields[LOCAL_ADDRESS].endsWith(ending)) {
          String queue = fields[QUEUES].substring(fields[QUEUES].indexOf(':') + 1);
          received += Long.parseLong(queue, HEXADECIMAL);
          sockets++;
        }
      }
    }
    return new Count(received, sockets);
  }

  private static InputStream inParts(Path path) throws IOException {
    return new FilterInputStream(Files.newInputStream(path)) {
      @Override
      public int read(byte[] bytes, int offset, int length) throws IOException {
        return super.read(bytes, offset, Math.min(length, READ_BYTES));
      }
    };
  }
}
