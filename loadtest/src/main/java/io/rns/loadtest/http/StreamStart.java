package io.rns.loadtest.http;

import io.rns.loadtest.measure.Failure;
import io.rns.loadtest.measure.FailureKind;
import io.rns.loadtest.measure.LoadClient;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Asks for a stream of server-sent events, waits for its first event and goes away, on a connection of its own each
 * time.
 */
public final class StreamStart implements LoadClient {
  private static final int MOST_BYTES = 65_536;
  private static final String GOOD = "HTTP/1.1 200 ";
  private static final String EVENT = "event:";

  private final InetSocketAddress server;
  private final RequestSource source;
  private byte[] request = new byte[0];
  private volatile @Nullable Socket socket;

  /**
   * Begins nothing yet.
   *
   * @param server where requests go
   * @param source of requests for a stream
   */
  public StreamStart(InetSocketAddress server, RequestSource source) {
    this.server = server;
    this.source = source;
  }

  @Override
  public boolean prepare() {
    byte[] next = source.next();
    request = next == null ? new byte[0] : next;
    return next != null;
  }

  @Override
  public @Nullable Failure perform() {
    try (Socket opened = new Socket()) {
      socket = opened;
      opened.setTcpNoDelay(true);
      opened.connect(server);
      opened.getOutputStream().write(request);
      String head = untilFirstEvent(opened.getInputStream());
      if (!head.startsWith(GOOD)) {
        return new Failure(FailureKind.HTTP_STATUS, head.lines().findFirst().orElse("no answer"));
      }
      return head.contains(EVENT) ? null : new Failure(FailureKind.UNEXPECTED_ANSWER, "a stream without an event");
    } catch (IOException e) {
      return new Failure(FailureKind.CONNECTION, String.valueOf(e.getMessage()));
    } finally {
      socket = null;
    }
  }

  private static String untilFirstEvent(InputStream in) throws IOException {
    byte[] bytes = new byte[MOST_BYTES];
    int filled = 0;
    String text = "";
    while (filled < MOST_BYTES && !text.contains(EVENT) && (text.isEmpty() || text.startsWith(GOOD))) {
      int count = in.read(bytes, filled, MOST_BYTES - filled);
      if (count < 0) {
        break;
      }
      filled += count;
      text = new String(bytes, 0, filled, StandardCharsets.UTF_8);
    }
    return text;
  }

  @Override
  public void cut() {
    Socket open = socket;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        throw new UncheckedIOException("closing a connection to " + server, e);
      }
    }
  }

  @Override
  public void close() {
    cut();
  }
}
