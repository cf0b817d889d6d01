package io.rns.client.http;

import io.rns.client.call.Deadline;
import java.io.IOException;
import java.net.SocketTimeoutException;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpStatus;
import org.apache.hc.core5.http.impl.DefaultConnectionReuseStrategy;
import org.apache.hc.core5.http.impl.io.DefaultBHttpClientConnection;
import org.apache.hc.core5.http.protocol.HttpCoreContext;
import org.apache.hc.core5.io.CloseMode;
import org.jspecify.annotations.Nullable;

/** A connection for {@link HttpCalls}. Used by one thread at a time; another may close it. */
final class CallConnection extends DefaultBHttpClientConnection {
  private final DeadlineWatch.Guard guard;
  private final long identity;
  private boolean used;
  private boolean reusable;
  private long idleSince;

  CallConnection(HostConnector.Connected connected) throws IOException {
    super(HttpConnection.CONFIG);
    this.guard = connected.guard();
    this.identity = connected.identity();
    bind(connected.socket());
  }

  /**
   * Sends a request and reads the head of the response. Its body has no deadline.
   *
   * @throws SocketTimeoutException if the response does not begin before the deadline
   */
  ClassicHttpResponse exchange(ClassicHttpRequest request, Deadline until) throws IOException {
    reusable = false;
    guard.begin(until);
    ClassicHttpResponse response;
    try {
      response = send(request);
      boolean empty =
          response.getCode() == HttpStatus.SC_NO_CONTENT || response.getCode() == HttpStatus.SC_NOT_MODIFIED;
      if (!empty) {
        receiveResponseEntity(response);
      }
    } catch (HttpException | IOException e) {
      throw !guard.end() ? late(e) : e instanceof IOException broken ? broken : new IOException("invalid HTTP", e);
    }
    if (!guard.end()) {
      throw late(null);
    }
    used = true;
    reusable = DefaultConnectionReuseStrategy.INSTANCE.keepAlive(request, response, HttpCoreContext.create());
    return response;
  }

  private ClassicHttpResponse send(ClassicHttpRequest request) throws HttpException, IOException {
    IOException unsent = null;
    try {
      sendRequestHeader(request);
      sendRequestEntity(request);
      flush();
    } catch (IOException e) {
      unsent = e;
    }
    return HttpConnection.responseHead(this, unsent);
  }

  private static IOException late(@Nullable Exception cause) {
    IOException late = new SocketTimeoutException("no response in time");
    late.initCause(cause);
    return late;
  }

  /** Whether it has carried a call before, so that the server may have closed it meanwhile. */
  boolean isUsed() {
    return used;
  }

  /** Whether it is fit for another call once the body of the last response has been read. */
  boolean isReusable() {
    return reusable && isOpen();
  }

  void idleFrom(long nanos) {
    idleSince = nanos;
  }

  /** Whether it presents to the server what new connections do. */
  boolean presents(long wanted) {
    return identity == wanted;
  }

  /** Whether it has been idle for less than this, and the server has not closed it. */
  boolean isFresh(long nanos, long most) {
    try {
      return nanos - idleSince < most && !isStale();
    } catch (IOException e) {
      return false;
    }
  }

  /** Ends what it is at, too. */
  @Override
  public void close() {
    guard.close();
    close(CloseMode.IMMEDIATE);
  }
}
