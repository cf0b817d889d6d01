package io.rns.client;

import io.rns.xml.XmlBuffer;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.concurrent.Future;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpStatus;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.DefaultConnectionReuseStrategy;
import org.apache.hc.core5.http.impl.io.DefaultBHttpClientConnection;
import org.apache.hc.core5.http.impl.io.SocketHolder;
import org.apache.hc.core5.http.protocol.HttpCoreContext;
import org.apache.hc.core5.io.CloseMode;
import org.jspecify.annotations.Nullable;

/** One connection: an exchange at a time, every wait of which ends at its deadline. Used by one thread at a time. */
final class HttpConnection extends DefaultBHttpClientConnection {
  private static final Http1Config CONFIG =
      Http1Config.custom().setBufferSize(8_192).setMaxLineLength(65_536).setMaxHeaderCount(256).build();

  /** What a socket takes without waiting for the other side: longer messages are watched. */
  private static final int UNWATCHED_BYTES = 8_192;

  private final URI uri;
  private final WriteWatch watch;
  private @Nullable Deadline deadline;
  private boolean used;
  private boolean reusable;
  private long idleSince;

  /** Reads the body of an answer. */
  interface AnswerReader<T> {
    T read(InputStream body);
  }

  private HttpConnection(URI uri, WriteWatch watch) {
    super(CONFIG);
    this.uri = uri;
    this.watch = watch;
  }

  /** Connects to the first address of the host that answers. */
  static HttpConnection open(URI uri, Deadline deadline, WriteWatch watch) throws IOException {
    boolean secure = uri.getScheme().equals("https");
    int port = uri.getPort() >= 0 ? uri.getPort() : secure ? 443 : 80;
    // An IPv6 literal keeps its brackets in a URI.
    String host = uri.getHost().replaceAll("^\\[|]$", "");
    IOException failure = new UnknownHostException(host);
    for (InetAddress address : InetAddress.getAllByName(host)) {
      Socket socket = new Socket();
      try {
        socket.setTcpNoDelay(true);
        socket.connect(new InetSocketAddress(address, port), timeout(deadline));
        HttpConnection connection = new HttpConnection(uri, watch);
        connection.bind(secure ? connection.secured(socket, host, port, deadline) : connection.plain(socket));
        return connection;
      } catch (IOException e) {
        socket.close();
        failure = e;
      }
    }
    throw failure;
  }

  private static int timeout(Deadline deadline) throws SocketTimeoutException {
    int millis = deadline.millisLeft();
    if (millis == 0) {
      throw new SocketTimeoutException("the time is up");
    }
    return millis;
  }

  private SocketHolder plain(Socket socket) {
    return new SocketHolder(socket) {
      @Override
      protected InputStream getInputStream(Socket from) throws IOException {
        return timed(from);
      }
    };
  }

  private SocketHolder secured(Socket base, String host, int port, Deadline until) throws IOException {
    SSLSocketFactory factory = (SSLSocketFactory) SSLSocketFactory.getDefault();
    SSLSocket socket = (SSLSocket) factory.createSocket(base, host, port, true);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    socket.setSSLParameters(parameters);
    socket.setSoTimeout(timeout(until));
    socket.startHandshake();
    return new SocketHolder(socket, base) {
      @Override
      protected InputStream getInputStream(Socket from) throws IOException {
        return timed(from);
      }
    };
  }

  /** The socket's input with a timeout that shrinks: bytes that come one by one do not prolong the exchange. */
  private InputStream timed(Socket socket) throws IOException {
    return new FilterInputStream(socket.getInputStream()) {
      @Override
      public int read(byte[] bytes, int offset, int length) throws IOException {
        if (deadline != null) {
          socket.setSoTimeout(timeout(deadline));
        }
        return super.read(bytes, offset, length);
      }
    };
  }

  /**
   * Posts a message and reads the answer.
   *
   * @throws io.rns.error.RnsException if the answer is no SOAP message, or what {@code reader} throws
   */
  <T> T exchange(XmlBuffer message, Deadline until, AnswerReader<T> reader) throws HttpException, IOException {
    used = true;
    reusable = false;
    deadline = until;
    try {
      HttpPost request = new HttpPost(uri, message);
      ClassicHttpResponse response = send(request, message.length() > UNWATCHED_BYTES);
      receiveResponseEntity(response);
      HttpRefusal.check(uri, response);
      AnswerBody body = new AnswerBody(response.getEntity().getContent());
      T answer = body.read(reader);
      reusable =
          body.isAtEnd() && DefaultConnectionReuseStrategy.INSTANCE.keepAlive(request, response, HttpCoreContext.create());
      return answer;
    } finally {
      deadline = null;
    }
  }

  private ClassicHttpResponse send(HttpPost request, boolean watched) throws HttpException, IOException {
    Future<?> breakOff = watched && deadline != null ? watch.at(deadline, () -> close(CloseMode.IMMEDIATE)) : null;
    IOException unsent = null;
    try {
      sendRequestHeader(request);
      sendRequestEntity(request);
      flush();
    } catch (IOException e) {
      unsent = e;
    } finally {
      if (breakOff != null) {
        breakOff.cancel(false);
      }
    }
    try {
      ClassicHttpResponse response = receiveResponseHeader();
      while (response.getCode() < HttpStatus.SC_SUCCESS) {
        response = receiveResponseHeader();
      }
      return response;
    } catch (HttpException | IOException e) {
      // Where sending failed, that is the news, unless the server has said why it stopped reading.
      if (unsent == null) {
        throw e;
      }
      unsent.addSuppressed(e);
      throw unsent;
    }
  }

  /** Whether it has carried an exchange before. */
  boolean isUsed() {
    return used;
  }

  /** Whether the last exchange left it fit for another. */
  boolean isReusable() {
    return reusable && isOpen();
  }

  void idleFrom(long nanos) {
    idleSince = nanos;
  }

  long idleSince() {
    return idleSince;
  }

  @Override
  public boolean isStale() {
    try {
      return super.isStale();
    } catch (IOException e) {
      return true;
    }
  }

  @Override
  public void close() {
    close(CloseMode.IMMEDIATE);
  }

  /** What a failure says, or else its kind. */
  static String reason(Exception e) {
    String message = e.getMessage();
    String reason = message == null || message.isBlank() ? e.getClass().getSimpleName() : message;
    return e instanceof UnknownHostException ? "unknown host " + reason : reason;
  }
}
