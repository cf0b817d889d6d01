package io.rns.client.http;

import io.rns.api.CallContext;
import io.rns.client.call.Deadline;
import io.rns.xml.XmlBuffer;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.UnknownHostException;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.HttpStatus;
import org.apache.hc.core5.http.HttpVersion;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.DefaultConnectionReuseStrategy;
import org.apache.hc.core5.http.impl.io.DefaultBHttpClientConnection;
import org.apache.hc.core5.http.io.HttpClientConnection;
import org.apache.hc.core5.http.protocol.HttpCoreContext;
import org.apache.hc.core5.io.CloseMode;
import org.jspecify.annotations.Nullable;

/**
 * One connection: an exchange at a time, which ends at its deadline. Used by one thread at a time.
 *
 * <p>Reading answers is left to HttpCore. Requests it would make and format anew for each message, although they only
 * differ in their length.
 */
public final class HttpConnection extends DefaultBHttpClientConnection {
  static final Http1Config CONFIG =
      Http1Config.custom().setBufferSize(8_192).setMaxLineLength(65_536).setMaxHeaderCount(256).build();

  /** A usual message goes out in one write. */
  private static final int OUTPUT_BYTES = 8_192;

  private final URI uri;
  private final RequestHead head;
  private final DeadlineWatch.Guard guard;
  private final long identity;
  private final OutputStream out;
  private boolean used;
  private boolean reusable;
  private boolean ofExtended;
  private long idleSince;

  /** Reads the body of an answer. */
  public interface AnswerReader<T> {
    T read(InputStream body);
  }

  /**
   * A message and what reads the body of its answer.
   *
   * @param call on whose behalf it is sent
   */
  public record Post<T>(CallContext call, XmlBuffer message, AnswerReader<T> reader) {}

  HttpConnection(URI uri, RequestHead head, HostConnector.Connected connected) throws IOException {
    super(CONFIG);
    this.uri = uri;
    this.head = head;
    this.guard = connected.guard();
    this.identity = connected.identity();
    this.out = new BufferedOutputStream(connected.socket().getSocket().getOutputStream(), OUTPUT_BYTES);
    bind(connected.socket());
  }

  /**
   * Posts a message and reads the answer.
   *
   * @throws io.rns.error.RnsException if the answer is no SOAP message, or what {@code reader} throws
   */
  <T> T exchange(
      XmlBuffer message, MessageAuthentication.@Nullable Header proof, Deadline until, AnswerReader<T> reader)
      throws HttpException, IOException {
    used = true;
    reusable = false;
    boolean keeps = false;
    guard.begin(until);
    try {
      ClassicHttpResponse response = send(message, proof);
      receiveResponseEntity(response);
      HttpRefusal.check(uri, response);
      AnswerBody body = new AnswerBody(response.getEntity().getContent());
      T answer = body.read(reader);
      keeps = body.isAtEnd() && keepsOpen(response);
      return answer;
    } finally {
      reusable = guard.end() && keeps;
    }
  }

  private ClassicHttpResponse send(XmlBuffer message, MessageAuthentication.@Nullable Header proof)
      throws HttpException, IOException {
    IOException unsent = null;
    try {
      head.write(message, proof, out);
    } catch (IOException e) {
      unsent = e;
    }
    return responseHead(this, unsent);
  }

  /**
   * The head of the response to a request.
   *
   * @param unsent why the request was not sent as a whole; null if it was
   */
  static ClassicHttpResponse responseHead(HttpClientConnection connection, @Nullable IOException unsent)
      throws HttpException, IOException {
    try {
      ClassicHttpResponse response = connection.receiveResponseHeader();
      while (response.getCode() < HttpStatus.SC_SUCCESS) {
        response = connection.receiveResponseHeader();
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

  /** The usual answer is one of HTTP/1.1 of a length that was told, and says nothing of the connection. */
  private static boolean keepsOpen(ClassicHttpResponse response) {
    HttpEntity entity = response.getEntity();
    boolean usual =
        HttpVersion.HTTP_1_1.equals(response.getVersion())
            && !entity.isChunked()
            && entity.getContentLength() >= 0
            && !response.containsHeader(HttpHeaders.CONNECTION);
    return usual || DefaultConnectionReuseStrategy.INSTANCE.keepAlive(null, response, HttpCoreContext.create());
  }

  /** Whether it has carried an exchange before. */
  boolean isUsed() {
    return used;
  }

  /** Whether what answers at its other end has shown that it knows our extensions. */
  public boolean isOfExtended() {
    return ofExtended;
  }

  public void foundExtended() {
    ofExtended = true;
  }

  /** Whether the last exchange left it fit for another. */
  boolean isReusable() {
    return reusable && isOpen();
  }

  /** Whether it presents to the server what new connections do. */
  boolean presents(long wanted) {
    return identity == wanted;
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
    guard.close();
    close(CloseMode.IMMEDIATE);
  }

  /** What a failure says, or else its kind. */
  static String reason(Exception e) {
    String message = e.getMessage();
    String reason = message == null || message.isBlank() ? e.getClass().getSimpleName() : message;
    return e instanceof UnknownHostException ? "unknown host " + reason : reason;
  }
}
