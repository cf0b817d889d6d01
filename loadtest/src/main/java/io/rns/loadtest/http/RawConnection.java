package io.rns.loadtest.http;

import io.rns.loadtest.launcher.Io;
import io.rns.loadtest.measure.Failure;
import io.rns.loadtest.measure.FailureKind;
import io.rns.loadtest.measure.LoadClient;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A keep-alive connection. One that the server closed is made again; a request whose connection was closed before
 * anything of its answer came is sent once more, because a server may close an idle connection in just that moment.
 */
public class RawConnection implements AutoCloseable {
  private final LoadAddress server;
  private final HttpReader reader = new HttpReader();
  private byte[] request = new byte[0];
  private HttpAnswer.Check check = answer -> FailureKind.UNEXPECTED_ANSWER;
  private volatile @Nullable Socket socket;
  /** Whether this connection has answered before: only then may the server have closed it for idleness. */
  private boolean reused;
  private long reconnects;
  private volatile boolean cut;

  public RawConnection(InetSocketAddress server) {
    this(new LoadAddress(server, Optional.empty()));
  }

  public RawConnection(LoadAddress server) {
    this.server = server;
  }

  /**
   * Clients with one connection each. Their requests (request line, headers and body) stay untouched until the next one
   * is taken; null if there are no more.
   */
  public static List<LoadClient> clients(LoadAddress server, int count,
      IntFunction<Supplier<byte @Nullable []>> requests, HttpAnswer.Check check) {
    return IntStream.range(0, count)
        .<LoadClient>mapToObj(client -> new RequestClient(server, requests.apply(client), check)).toList();
  }

  private static final class RequestClient extends RawConnection implements LoadClient {
    private final Supplier<byte @Nullable []> requests;
    private final HttpAnswer.Check check;

    RequestClient(LoadAddress server, Supplier<byte @Nullable []> requests, HttpAnswer.Check check) {
      super(server);
      this.requests = requests;
      this.check = check;
    }

    @Override
    public boolean prepare() {
      byte[] next = requests.get();
      if (next == null) {
        return false;
      }
      prepare(next, check);
      return true;
    }
  }

  /** Makes a request ready, and what looks at its answer. */
  public final void prepare(byte[] nextRequest, HttpAnswer.Check nextCheck) {
    request = nextRequest;
    check = nextCheck;
    cut = false;
  }

  /** Does the request that was prepared, to its end; null if it went well. */
  public @Nullable Failure perform() {
    try {
      HttpAnswer answer = exchange();
      FailureKind failure = check.failureOf(answer);
      return failure == null ? null : new Failure(failure, answer.toString());
    } catch (IOException e) {
      close();
      return HttpReader.failure(e);
    }
  }

  private HttpAnswer exchange() throws IOException {
    try {
      return send();
    } catch (SocketException | EOFException e) {
      if (cut || !reused || !reader.isEmpty()) {
        throw e;
      }
      close();
      return send();
    }
  }

  private HttpAnswer send() throws IOException {
    Socket open = socket;
    if (open == null) {
      open = connect();
    }
    reader.begin(open.getInputStream());
    open.getOutputStream().write(request);
    HttpAnswer answer = reader.read();
    reused = true;
    if (!reader.keepAlive()) {
      close();
    }
    return answer;
  }

  private Socket connect() throws IOException {
    Socket plain = new Socket();
    socket = plain;
    Socket opened = server.connect(plain);
    socket = opened;
    if (reused) {
      reconnects++;
    }
    reused = false;
    return opened;
  }

  /** Makes a hanging {@link #perform} end soon. May be called by another thread. */
  public void cut() {
    cut = true;
    close();
  }

  public final long reconnects() {
    return reconnects;
  }

  @Override
  public void close() {
    Socket open = socket;
    socket = null;
    if (open != null) {
      Io.run("closing a connection to " + server, open::close);
    }
  }
}
