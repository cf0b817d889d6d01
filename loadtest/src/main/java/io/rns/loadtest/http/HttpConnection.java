package io.rns.loadtest.http;

import io.rns.loadtest.measure.Failure;
import io.rns.loadtest.measure.FailureKind;
import io.rns.loadtest.measure.LoadClient;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import org.jspecify.annotations.Nullable;

/**
 * A keep-alive connection. One that the server closed is made again; a request whose connection was closed before
 * anything of its answer came is sent once more, because a server may close an idle connection in just that moment.
 */
public final class HttpConnection implements LoadClient {
  private final InetSocketAddress server;
  private final RequestSource source;
  private final AnswerCheck check;
  private final AnswerParser parser = new AnswerParser();
  private byte[] request = new byte[0];
  private volatile @Nullable Socket socket;
  /** Whether this connection has answered before: only then may the server have closed it for idleness. */
  private boolean reused;
  private long reconnects;
  private volatile boolean cut;

  HttpConnection(InetSocketAddress server, RequestSource source, AnswerCheck check) {
    this.server = server;
    this.source = source;
    this.check = check;
  }

  @Override
  public boolean prepare() {
    byte[] next = source.next();
    if (next == null) {
      return false;
    }
    request = next;
    cut = false;
    return true;
  }

  @Override
  public @Nullable Failure perform() {
    try {
      try {
        exchange();
      } catch (SocketException | ClosedByServerException e) {
        if (cut || !reused || !parser.isEmpty()) {
          throw e;
        }
        close();
        exchange();
      }
      return checked();
    } catch (MalformedAnswerException e) {
      close();
      return new Failure(FailureKind.UNEXPECTED_ANSWER, String.valueOf(e.getMessage()));
    } catch (IOException e) {
      close();
      return new Failure(FailureKind.CONNECTION, String.valueOf(e.getMessage()));
    }
  }

  private void exchange() throws IOException {
    Socket open = socket;
    if (open == null) {
      open = connect();
    }
    parser.reset();
    open.getOutputStream().write(request);
    InputStream in = open.getInputStream();
    while (!parser.receive(in)) {
      // until the answer is complete; the loop's owner cuts a connection that hangs
    }
  }

  private Socket connect() throws IOException {
    Socket opened = new Socket();
    socket = opened;
    opened.setTcpNoDelay(true);
    // Without timeouts, here and for reading: they would make the socket non-blocking, which costs two system calls
    // more
    // per request. Whoever runs the load cuts what hangs.
    opened.connect(server);
    if (reused) {
      reconnects++;
    }
    reused = false;
    return opened;
  }

  private @Nullable Failure checked() {
    Answer answer = parser.answer();
    FailureKind failure = check.failureOf(answer);
    reused = true;
    if (!parser.keepAlive()) {
      close();
    }
    return failure == null ? null : new Failure(failure, answer.toString());
  }

  @Override
  public void cut() {
    cut = true;
    close();
  }

  @Override
  public long reconnects() {
    return reconnects;
  }

  @Override
  public void close() {
    Socket open = socket;
    socket = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        throw new UncheckedIOException("closing a connection to " + server, e);
      }
    }
  }
}
