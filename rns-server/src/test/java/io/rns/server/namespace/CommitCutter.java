package io.rns.server.namespace;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;

/** A proxy before the database that loses a connection just before or just after a commit takes effect. */
final class CommitCutter implements AutoCloseable {
  /** When the connection is cut. */
  enum Cut {
    /** The database never sees the commit. */
    BEFORE_COMMIT,
    /** The database commits, but nobody hears it. */
    AFTER_COMMIT
  }

  private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final int target;
  private final AtomicReference<Cut> armed = new AtomicReference<>();
  /** How connections came to their ends, for whoever debugs a test. */
  private final Queue<Exception> ended = new ConcurrentLinkedQueue<>();

  CommitCutter(int target) throws IOException {
    this.target = target;
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  /** Cuts at the next commit. */
  void arm(Cut cut) {
    armed.set(cut);
  }

  boolean isArmed() {
    return armed.get() != null;
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
      AtomicReference<Boolean> mute = new AtomicReference<>(false);
      Thread back =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try (client) {
                      copyUntilMuted(database.getInputStream(), client.getOutputStream(), mute);
                    } catch (IOException e) {
                      ended.add(e);
                    }
                  });
      forward(client.getInputStream(), database, mute);
      back.join();
    } catch (IOException | InterruptedException e) {
      ended.add(e);
    }
  }

  private void forward(InputStream in, Socket database, AtomicReference<Boolean> mute) throws IOException {
    byte[] buffer = new byte[65_536];
    OutputStream out = database.getOutputStream();
    for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
      boolean commit = new String(buffer, 0, read, StandardCharsets.ISO_8859_1).contains("COMMIT");
      Cut cut = commit ? armed.getAndSet(null) : null;
      if (cut == Cut.BEFORE_COMMIT) {
        database.close();
        return;
      }
      if (cut == Cut.AFTER_COMMIT) {
        mute.set(true);
      }
      out.write(buffer, 0, read);
    }
    database.shutdownOutput();
  }

  private static void copyUntilMuted(InputStream in, OutputStream out, AtomicReference<Boolean> mute)
      throws IOException {
    byte[] buffer = new byte[65_536];
    for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
      if (mute.get()) {
        return;
      }
      out.write(buffer, 0, read);
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
