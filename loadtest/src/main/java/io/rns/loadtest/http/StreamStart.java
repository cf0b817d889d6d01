package io.rns.loadtest.http;

import io.rns.loadtest.launcher.Io;
import io.rns.loadtest.measure.Failure;
import io.rns.loadtest.measure.FailureKind;
import java.io.IOException;
import java.net.Socket;
import org.jspecify.annotations.Nullable;

/**
 * Asks for a stream of server-sent events, waits for its first event and goes away, on a connection of its own each
 * time.
 */
public final class StreamStart {
  private static final String GOOD = "HTTP/1.1 200 ";
  private static final String EVENT = "event:";

  private final LoadAddress server;
  private volatile @Nullable Socket socket;

  public StreamStart(LoadAddress server) {
    this.server = server;
  }

  /** Sends a request for a stream and waits for the first event; null if it comes. */
  public @Nullable Failure perform(byte[] request) {
    try (Socket plain = new Socket()) {
      socket = plain;
      Socket opened = server.connect(plain);
      opened.getOutputStream().write(request);
      HttpReader reader = new HttpReader();
      reader.begin(opened.getInputStream());
      String head = reader.statusAndFields();
      if (!head.startsWith(GOOD)) {
        return new Failure(FailureKind.HTTP_STATUS, head.lines().findFirst().orElseThrow());
      }
      reader.find(EVENT, head.length());
      return null;
    } catch (IOException e) {
      return HttpReader.failure(e);
    } finally {
      socket = null;
    }
  }

  /** Makes a hanging {@link #perform} end soon. May be called by another thread. */
  public void cut() {
    Socket open = socket;
    if (open != null) {
      Io.run("closing a connection to " + server, open::close);
    }
  }
}
