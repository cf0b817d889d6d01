package io.rns.loadtest.link;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A connection of a client over a link. */
final class Connection {
  private static final int CONNECT_MILLIS = 10_000;

  private final Socket client;
  private final Socket server = new Socket();
  private final InetSocketAddress target;
  private final Delay delay;
  private final Gate gate;
  private final Consumer<Connection> ended;

  // Guarded by this.
  private final List<Thread> threads = new ArrayList<>();
  private boolean closed;

  /** Work of one thread. */
  private interface Part {
    void run() throws IOException, InterruptedException;
  }

  Connection(Socket client, InetSocketAddress target, Delay delay, Gate gate, Consumer<Connection> ended) {
    this.client = client;
    this.target = target;
    this.delay = delay;
    this.gate = gate;
    this.ended = ended;
  }

  void start() {
    begin(this::connect);
  }

  private void connect() throws IOException, InterruptedException {
    gate.pass();
    server.connect(target, CONNECT_MILLIS);
    client.setTcpNoDelay(true);
    server.setTcpNoDelay(true);
    Direction there = new Direction(client, server, delay, gate);
    Direction back = new Direction(server, client, delay, gate);
    begin(there::receive);
    begin(there::deliver);
    begin(back::receive);
    begin(back::deliver);
    there.awaitEnd();
    back.awaitEnd();
    close();
  }

  private synchronized void begin(Part part) {
    if (!closed) {
      threads.add(Thread.ofVirtual().start(() -> run(part)));
    }
  }

  private void run(Part part) {
    try {
      part.run();
    } catch (IOException e) {
      breakOff();
    } catch (InterruptedException e) {
      // Closed.
    }
  }

  /** One end is gone: the other one hears of it, as soon as something can be heard. */
  private void breakOff() {
    try {
      gate.pass();
      close();
    } catch (InterruptedException e) {
      // Closed meanwhile.
    }
  }

  /** Ends it for both. */
  void close() {
    synchronized (this) {
      closed = true;
      threads.forEach(Thread::interrupt);
    }
    ended.accept(this);
    closeQuietly(client);
    closeQuietly(server);
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // Nothing is lost: the connection is given up.
    }
  }
}
