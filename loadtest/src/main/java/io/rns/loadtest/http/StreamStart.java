package io.rns.loadtest.http;

import io.rns.loadtest.launcher.Io;
import io.rns.loadtest.measure.Failure;
import io.rns.loadtest.measure.FailureKind;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Asks for a stream of server-sent events, waits for its first event and goes away, on a connection of its own each
 * time.
 */
public final class StreamStart {
  private static final int MOST_BYTES = 65_536;
  private static final String GOOD = "HTTP/1.1 200 ";
  private static final String EVENT = "event:";

  private final InetSocketAddress server;
  private volatile @Nullable Socket socket;

  public StreamStart(InetSocketAddress server) {
    this.server = server;
  }

  /** Sends a request for a stream and waits for the first event; null if it comes. */
  public @Nullable Failure perform(byte[] request) {
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
    int count = 0;
    String text = "";
    while (count >= 0 && filled < MOST_BYTES && !text.contains(EVENT) && (text.isEmpty() || text.startsWith(GOOD))) {
      count = in.read(bytes, filled, MOST_BYTES - filled);
      filled += Math.max(0, count);
      text = new String(bytes, 0, filled, StandardCharsets.UTF_8);
    }
    return text;
  }

  /** Makes a hanging {@link #perform} end soon. May be called by another thread. */
  public void cut() {
    Socket open = socket;
    if (open != null) {
      Io.run("closing a connection to " + server, open::close);
    }
  }
}
