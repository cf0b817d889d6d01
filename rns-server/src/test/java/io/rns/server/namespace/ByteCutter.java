package io.rns.server.namespace;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.EnumMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A proxy before the database that ends a connection after a number of bytes. */
final class ByteCutter implements AutoCloseable {
  /** Which bytes are counted. */
  enum Way {
    TO_DATABASE, FROM_DATABASE
  }

  private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final int target;
  /** How connections came to their ends, for whoever debugs a test. */
  private final Queue<Exception> ended = new ConcurrentLinkedQueue<>();

  // Under the monitor of this.
  private final Map<Way, Long> passed = new EnumMap<>(Way.class);
  private Way way = Way.TO_DATABASE;
  private long left = Long.MAX_VALUE;

  ByteCutter(int target) throws IOException {
    this.target = target;
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  /** All bytes that went this way so far. */
  synchronized long passed(Way which) {
    return passed.getOrDefault(which, 0L);
  }

  /** Lets so many more bytes go this way, and ends the connection on which the next one would. */
  synchronized void cutAfter(Way which, long bytes) {
    way = which;
    left = bytes;
  }

  /** Whether the last cut has not been made. */
  synchronized boolean isArmed() {
    return left != Long.MAX_VALUE;
  }

  /** How many of these bytes may go; the connection ends behind them if it is fewer. */
  private synchronized int allowed(Way which, int bytes) {
    int allowed = which == way && left < bytes ? (int) left : bytes;
    passed.merge(which, (long) allowed, Long::sum);
    if (which == way && left != Long.MAX_VALUE) {
      left = allowed < bytes ? Long.MAX_VALUE : left - allowed;
    }
    return allowed;
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket client = server.accept();
        Thread.ofVirtual().start(() -> serve(client));
      } catch (IOException e) {
        return;
      }
    }
  }

  private void serve(Socket client) {
    try (client;
        Socket database = new Socket(InetAddress.getLoopbackAddress(), target)) {
      Thread back = Thread.ofVirtual().start(() -> copy(database, client, Way.FROM_DATABASE));
      copy(client, database, Way.TO_DATABASE);
      back.join();
    } catch (IOException | InterruptedException e) {
      ended.add(e);
    }
  }

  private void copy(Socket from, Socket to, Way direction) {
    byte[] buffer = new byte[65_536];
    try (from; to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        int allowed = allowed(direction, read);
        out.write(buffer, 0, allowed);
        if (allowed < read) {
          return;
        }
      }
    } catch (IOException e) {
      ended.add(e);
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
