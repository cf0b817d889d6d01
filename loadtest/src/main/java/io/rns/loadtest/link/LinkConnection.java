package io.rns.loadtest.link;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** A connection of a client over a link. It ends with both its directions, or when its thread is interrupted. */
record LinkConnection(Link link, Socket client, InetSocketAddress target, Delay delay) implements Runnable {
  private static final int CONNECT_MILLIS = 10_000;
  private static final int CHUNK_BYTES = 16 * 1024;
  /** Bounds what is under way to 4 MiB per direction; a sender of more is held back, as by a real line. */
  private static final int MOST_CHUNKS = 256;

  /** Bytes with the time of their arrival; no bytes for the end of the stream. */
  private record Chunk(ByteBuffer bytes, long dueNanos) {}

  @Override
  public void run() {
    ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    try (client; Socket server = new Socket()) {
      forward(server, threads);
    } catch (IOException | InterruptedException e) {
      // Nothing is lost: the connection is given up.
    } finally {
      threads.shutdownNow();
    }
  }

  private void forward(Socket server, ExecutorService threads) throws InterruptedException {
    try {
      link.awaitMended();
      server.connect(target, CONNECT_MILLIS);
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
      CompletionService<Void> parts = new ExecutorCompletionService<>(threads);
      forward(client, server, parts);
      forward(server, client, parts);
      for (int part = 0; part < 4; part++) {
        parts.take().get();
      }
    } catch (IOException | ExecutionException e) {
      // One end is gone; the other learns of it as soon as anything can pass.
      link.awaitMended();
    }
  }

  /** Starts two parts: one receives the bytes of a direction, the other delivers them. */
  private void forward(Socket from, Socket to, CompletionService<Void> parts) {
    BlockingQueue<Chunk> underWay = new ArrayBlockingQueue<>(MOST_CHUNKS);
    parts.submit(() -> {
      receive(from.getInputStream(), underWay);
      return null;
    });
    parts.submit(() -> {
      deliver(underWay, to.getOutputStream());
      to.shutdownOutput();
      return null;
    });
  }

  private void receive(InputStream in, BlockingQueue<Chunk> underWay) throws IOException, InterruptedException {
    byte[] buffer = new byte[CHUNK_BYTES];
    long due = System.nanoTime();
    int read;
    do {
      read = in.read(buffer);
      ByteBuffer bytes = ByteBuffer.wrap(Arrays.copyOf(buffer, Math.max(read, 0)));
      long jitter = ThreadLocalRandom.current().nextLong(delay.jitter().toNanos() + 1);
      long earliest = System.nanoTime() + delay.least().toNanos() + jitter;
      due = due - earliest > 0 ? due : earliest;
      underWay.put(new Chunk(bytes, due));
    } while (read >= 0);
  }

  private void deliver(BlockingQueue<Chunk> underWay, OutputStream out) throws IOException, InterruptedException {
    Chunk chunk;
    do {
      chunk = underWay.take();
      TimeUnit.NANOSECONDS.sleep(chunk.dueNanos() - System.nanoTime());
      link.awaitMended();
      out.write(chunk.bytes().array());
    } while (chunk.bytes().hasRemaining());
  }
}
