package io.rns.loadtest.link;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** One of the two directions of a connection: what comes in, on its way, and what goes out. */
final class Direction {
  private static final int CHUNK_BYTES = 16 * 1024;
  /** So that a sender is held back, as on a real line, when 4 MiB are under way. */
  private static final int MOST_CHUNKS = 256;

  private final Socket from;
  private final Socket to;
  private final Delay delay;
  private final Gate gate;
  private final BlockingQueue<Chunk> underWay = new ArrayBlockingQueue<>(MOST_CHUNKS);
  private final CountDownLatch ended = new CountDownLatch(1);

  /** Bytes with the moment of their arrival; none of them for the end of the stream. */
  private record Chunk(ByteBuffer bytes, long dueNanos) {}

  Direction(Socket from, Socket to, Delay delay, Gate gate) {
    this.from = from;
    this.to = to;
    this.delay = delay;
    this.gate = gate;
  }

  /** Takes in what is sent, up to its end. */
  void receive() throws IOException, InterruptedException {
    InputStream in = from.getInputStream();
    byte[] buffer = new byte[CHUNK_BYTES];
    long due = System.nanoTime();
    int read;
    do {
      read = in.read(buffer);
      ByteBuffer bytes = ByteBuffer.wrap(Arrays.copyOf(buffer, Math.max(read, 0)));
      long earliest = System.nanoTime() + delay.least().toNanos() + jitterNanos();
      due = due - earliest > 0 ? due : earliest;
      underWay.put(new Chunk(bytes, due));
    } while (read >= 0);
  }

  private long jitterNanos() {
    long most = delay.jitter().toNanos();
    return most == 0 ? 0 : ThreadLocalRandom.current().nextLong(most);
  }

  /** Delivers what has been under way long enough, up to the end. */
  void deliver() throws IOException, InterruptedException {
    OutputStream out = to.getOutputStream();
    while (true) {
      Chunk chunk = underWay.take();
      TimeUnit.NANOSECONDS.sleep(chunk.dueNanos() - System.nanoTime());
      gate.pass();
      if (!chunk.bytes().hasRemaining()) {
        to.shutdownOutput();
        ended.countDown();
        return;
      }
      out.write(chunk.bytes().array());
    }
  }

  /** Waits until the end of the stream was delivered. */
  void awaitEnd() throws InterruptedException {
    ended.await();
  }
}
