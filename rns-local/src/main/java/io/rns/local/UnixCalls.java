package io.rns.local;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Requests to processes on this machine over Unix domain sockets: a line there, a line back. Stateless. */
final class UnixCalls {
  /** What Linux takes as the path of a socket, in bytes, less the longest name that is added to it. */
  static final int MOST_PATH_BYTES = 103;

  private static final int MOST_BYTES = 65_536;

  private UnixCalls() {}

  /**
   * Sends a line and returns the response.
   *
   * @throws IOException if the process does not answer in time
   */
  static String ask(Path socket, String line, Duration bound) throws IOException {
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      CompletableFuture<String> answer = new CompletableFuture<>();
      Thread.ofVirtual().name("call of " + socket.getFileName()).start(() -> {
        try {
          answer.complete(exchange(channel, line));
        } catch (IOException e) {
          answer.completeExceptionally(e);
        }
      });
      return answer.get(bound.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new IOException("no answer within " + bound.toSeconds() + " s", e);
    } catch (ExecutionException e) {
      throw new IOException(e.getCause().getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private static String exchange(SocketChannel channel, String line) throws IOException {
    ByteBuffer request = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
    while (request.hasRemaining()) {
      int unused = channel.write(request);
    }
    return line(channel);
  }

  /** A line from a socket; empty if it ends without one. */
  static String line(SocketChannel channel) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    ByteBuffer bytes = ByteBuffer.allocate(4_096);
    while (line.size() < MOST_BYTES && channel.read(bytes) >= 0) {
      line.write(bytes.array(), 0, bytes.position());
      boolean ended = bytes.position() > 0 && bytes.get(bytes.position() - 1) == '\n';
      bytes.clear();
      if (ended) {
        return line.toString(StandardCharsets.UTF_8).strip();
      }
    }
    return "";
  }
}
