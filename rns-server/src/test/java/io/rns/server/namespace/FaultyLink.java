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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A proxy before the database that holds answers back as a slow database does, and swallows connections as a network
 * does whose cable was pulled: both ends stay open, and neither hears of the other again.
 */
public final class FaultyLink implements AutoCloseable {
  private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final int target;
  private final AtomicReference<@Nullable Hold> hold = new AtomicReference<>();
  private volatile @Nullable String swallowed;
  private final AtomicInteger holding = new AtomicInteger();
  private final AtomicInteger swallowing = new AtomicInteger();
  private final CountDownLatch closed = new CountDownLatch(1);
  /** How connections came to their ends, for whoever debugs a test. */
  private final Queue<Exception> ended = new ConcurrentLinkedQueue<>();

  /** Answers with this text wait for its release. */
  private record Hold(String text, CountDownLatch released) {}

  public FaultyLink(int target) throws IOException {
    this.target = target;
    Thread.ofVirtual().start(this::accept);
  }

  public int port() {
    return server.getLocalPort();
  }

  /** Holds every answer in which this text is, from now on, and lets those go that are held. */
  public void hold(String text) {
    replace(new Hold(text, new CountDownLatch(1)));
  }

  private void replace(@Nullable Hold next) {
    Hold former = hold.getAndSet(next);
    if (former != null) {
      former.released().countDown();
    }
  }

  /** Answers held now or before. */
  public int held() {
    return holding.get();
  }

  /** Lets all answers go. */
  public void release() {
    replace(null);
  }

  /** Swallows the next connection that sends this text, before the text; its ends stay open. */
  void swallow(String text) {
    swallowed = text;
  }

  /** Connections swallowed so far. */
  int swallowed() {
    return swallowing.get();
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
      Thread back = Thread.ofVirtual().start(() -> copy(database, client, false));
      copy(client, database, true);
      back.join();
    } catch (IOException | InterruptedException e) {
      ended.add(e);
    }
  }

  private void copy(Socket from, Socket to, boolean request) {
    byte[] buffer = new byte[65_536];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        String text = new String(buffer, 0, read, StandardCharsets.ISO_8859_1);
        if (request) {
          swallowIfAsked(text);
        } else {
          holdIfAsked(text);
        }
        out.write(buffer, 0, read);
      }
      to.shutdownOutput();
    } catch (IOException | InterruptedException e) {
      ended.add(e);
    }
  }

  private void swallowIfAsked(String text) throws InterruptedException {
    String part = swallowed;
    if (part != null && text.contains(part)) {
      swallowed = null;
      swallowing.incrementAndGet();
      closed.await();
    }
  }

  private void holdIfAsked(String text) throws InterruptedException {
    Hold now = hold.get();
    if (now != null && text.contains(now.text())) {
      holding.incrementAndGet();
      if (!now.released().await(2, TimeUnit.MINUTES)) {
        throw new IllegalStateException("an answer was held for 2 minutes");
      }
    }
  }

  @Override
  public void close() throws IOException {
    release();
    closed.countDown();
    server.close();
  }
}
