package io.rns.front;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.rns.api.Consistency;
import io.rns.api.HopStep;
import io.rns.api.Positions;
import io.rns.api.RnsPath;
import io.rns.client.http.MessageAuthentication.Header;
import io.rns.error.RnsError;
import io.rns.front.message.BodyEnd;
import io.rns.front.message.BodyFraming;
import io.rns.front.message.ClientHead;
import io.rns.front.message.ServerHead;
import io.rns.front.message.SharedRead;
import io.rns.identity.FrontReport;
import io.rns.identity.RequestPassing;
import io.rns.wire.MessageHeaders;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One request on its way: which server has it, and what happens if that fails. A request that is held completely is
 * sent again if it only reads, has a request id, or did not reach a server. Used by the thread of its loop only.
 */
final class Exchange {
  private static final long PAUSE_MILLIS = 200;
  /** How long a request for the primary waits for a server: a change of the primary takes less. */
  private static final long PRIMARY_NANOS = TimeUnit.SECONDS.toNanos(15);
  private static final long READ_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int UNAVAILABLE = 503;
  private static final String MAYBE_MADE = "a change may or may not have been made";

  private final FrontLoop loop;
  private final ClientLink client;
  private final ClientHead head;
  private final ByteBuf message;
  private final int headBytes;
  private final BodyFraming framing;
  private final @Nullable BodyEnd upload;
  private final Set<FrontedServer> tried = new HashSet<>();
  private final long begun;
  /** What it is about, as far as that is known. */
  private RnsPath path = RnsPath.ROOT;
  private ServerDirectory.Wanted wanted = ServerDirectory.Wanted.PRIMARY_FIRST;
  private @Nullable FrontedServer server;
  /** Says how it is passed on, if the response is to say that. */
  private @Nullable String report;
  private @Nullable ServerLink link;
  /** What servers are told of its caller; null if they find that out themselves. */
  private @Nullable String caller;
  /** What others may ask for, too; null if that is not known. */
  private @Nullable SharedRead shared;
  private long sent;
  private boolean inFlight;
  /** Whether a server received it that did not report whether it was made. */
  private boolean maybeMade;
  private boolean over;

  /**
   * A request.
   *
   * @param message what the server receives: all of it, or the head while the body still arrives; owned
   * @param headBytes length of the head in it
   * @param upload where the arriving body ends; null for a request that is held completely
   */
  Exchange(FrontLoop loop, ClientLink client, ClientHead head, BodyFraming framing, ByteBuf message, int headBytes,
      @Nullable BodyEnd upload) {
    this.loop = loop;
    this.client = client;
    this.head = head;
    this.framing = framing;
    this.message = message;
    this.headBytes = headBytes;
    this.upload = upload;
    this.begun = client.since();
  }

  ClientLink client() {
    return client;
  }

  ClientHead head() {
    return head;
  }

  BodyFraming framing() {
    return framing;
  }

  /** Says that others may ask for the same. */
  void share(@Nullable SharedRead read) {
    shared = read;
  }

  /** Keeps the response, if the server lets others have it. */
  void keep(AnswerCache answers, SharedRead read, ServerHead.Shared answer, byte[] content) {
    answers.keep(read, answer, content,
        read.message()
            ? SoapMessages.headers(body(), head.contentType())
            : null);
  }

  /** What others may ask for, too; null if that is not known. */
  @Nullable
  SharedRead shared() {
    return shared;
  }

  /** Says who sends it, by what the client has presented. */
  void passOn(String itsCaller) {
    caller = itsCaller;
  }

  /**
   * What a server receives at once: the message, with its caller, signed for this server and moment, and with what the
   * front did with it if that is to be explained.
   */
  ByteBuf messageTo(FrontedServer receiver) {
    String known = caller;
    CertificateCallers callers = loop.certificates();
    String added = report == null ? "" : FrontReport.HEADER + ": " + report + "\r\n";
    if (known != null && callers != null) {
      Header header =
          callers.header(known, receiver.url(), RequestPassing.line(head.method(), head.target()), digest());
      added += header.name() + ": " + header.value() + "\r\n";
    }
    if (added.isEmpty()) {
      return message.retainedSlice();
    }
    byte[] line = added.getBytes(StandardCharsets.US_ASCII);
    int start = message.readerIndex();
    int lines = head.lines().length;
    return Unpooled.wrappedBuffer(
        message.retainedSlice(start, lines), Unpooled.wrappedBuffer(line),
        message.retainedSlice(start + lines, message.readableBytes() - lines));
  }

  /** Of the body as the server reads it, without content encoding. */
  private String digest() {
    if (upload != null || head.encoded()) {
      return RequestPassing.UNSIGNED;
    }
    return RequestPassing.digest(
        message.nioBuffer(message.readerIndex() + headBytes, message.readableBytes() - headBytes));
  }

  private byte[] body() {
    return ByteBufUtil.getBytes(message, message.readerIndex() + headBytes, message.readableBytes() - headBytes);
  }

  /** What the server receives at once, without its caller. */
  ByteBuf message() {
    return message;
  }

  /** Where the arriving body ends; null for a request that is held completely. */
  @Nullable
  BodyEnd upload() {
    return upload;
  }

  /** Whether the server has, or is being sent, all of the request. */
  boolean isUploaded() {
    return upload == null || upload.isDone();
  }

  /** The connection that has the request; null before. */
  @Nullable
  ServerLink link() {
    return link;
  }

  boolean isOver() {
    return over;
  }

  /** When the server got it, for the time of the response. */
  long sent() {
    return sent;
  }

  /** Sends it to the best server that did not fail it yet. */
  void dispatch() {
    if (over) {
      return;
    }
    String context = loop.settings().context();
    // Any server of the group can serve a watch: it names its position, or begins now.
    SoapMessages.Hints hints =
        head.isReading()
            ? new SoapMessages.Hints(head.tracksPosition() || head.isWatch(context),
                ResourcePath.isOfNames(head, context), false, "")
            : SoapMessages.hints(message);
    path = path(hints);
    wanted = wanted(hints);
    boolean direct = loop.direct() != null && head.acceptsDirect() && tried.isEmpty();
    ServerDirectory.Chosen choice =
        loop.directory().choose(path, wanted, direct, tried).orElse(null);
    if (choice == null) {
      pauseOrRefuse();
      return;
    }
    FrontedServer chosen = choice.server();
    String address = direct ? directAddress(chosen) : null;
    if (address != null) {
      chosen.sentTo().incrementAndGet();
      end();
      client.sendTo(this, address);
      return;
    }
    server = chosen;
    report = hints.explained() ? report(choice) : null;
    chosen.history().begun();
    inFlight = true;
    sent = System.nanoTime();
    loop.pool().send(this, chosen);
  }

  /**
   * A replica forwards writes, but answers a read without a position from its copy, which may lack a write of the same
   * client.
   */
  private static ServerDirectory.Wanted wanted(SoapMessages.Hints hints) {
    if (hints.tracksPosition()) {
      return ServerDirectory.Wanted.ANY;
    }
    return hints.reads() ? ServerDirectory.Wanted.PRIMARY : ServerDirectory.Wanted.PRIMARY_FIRST;
  }

  private String report(ServerDirectory.Chosen choice) {
    long micros = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - begun);
    String failed = tried.isEmpty() ? "" : ", after " + tried.size() + " that failed";
    return FrontReport.text(loop.settings().name(), micros, finding(),
        new HopStep.Passed(choice.server().url().toString(), choice.reason() + failed));
  }

  /** What the cache has for a message that is to be explained. */
  private HopStep.Finding finding() {
    AnswerCache answers = loop.answers();
    SharedRead read = head.shared();
    if (answers == null) {
      return HopStep.Finding.OFF;
    }
    byte[] body = body();
    MessageHeaders headers = read == null || caller != null ? null : SoapMessages.headers(body, head.contentType());
    SharedRead plain = read == null || headers == null ? null : SoapMessages.unexplained(read, body);
    if (headers == null || plain == null) {
      return HopStep.Finding.PRIVATE;
    }
    boolean primary =
        headers.consistency() instanceof Consistency.Primary
            || (headers.consistency() instanceof Consistency.Session && headers.seen().isEmpty());
    return primary ? HopStep.Finding.PRIMARY : answers.finding(plain);
  }

  /** Where the client gets its response from this server itself; null if that is to come through here. */
  private @Nullable String directAddress(FrontedServer from) {
    DirectDelegation direct = loop.direct();
    return direct == null ? null
        : direct.address(head, caller, client.channel().remoteAddress(), client.isSecured(), from).orElse(null);
  }

  private RnsPath path(SoapMessages.Hints hints) {
    if (!loop.directory().isDivided()) {
      return RnsPath.ROOT;
    }
    return hints.path().isEmpty() ? ResourcePath.of(head, loop.settings().context()) : ResourcePath.of(hints.path());
  }

  /** A connection has it. */
  void attach(ServerLink with) {
    link = with;
    sent = System.nanoTime();
  }

  /** It came from another process together with its connection. */
  void resume(ServerLink with, long since) {
    server = with.server();
    server.history().begun();
    inFlight = true;
    link = with;
    sent = since;
  }

  /** The server has answered, or will now. */
  void answered(int status) {
    FrontedServer from = server;
    if (from != null) {
      if (status == UNAVAILABLE) {
        from.history().failed(System.nanoTime(), REST_NANOS, ThreadLocalRandom.current()::nextLong);
      } else if (head.isReading()) {
        long now = System.nanoTime();
        from.history().answered(now, now - sent, Positions.NONE);
      } else {
        from.history().answered();
      }
    }
    leave();
  }

  private void leave() {
    if (inFlight && server != null) {
      server.history().ended();
      inFlight = false;
    }
  }

  /** No connection to the server: nothing was sent. */
  void unreachable(String why) {
    if (!over) {
      failed();
      next(true, why);
    }
  }

  /** The connection ended before the response began. */
  void broken() {
    maybeMade = true;
    failed();
    next(isRepeatable(), "its connection ended");
  }

  /**
   * Whether another server is asked instead of passing on that this one is unavailable. The connection that has it is
   * not used any more.
   */
  boolean triesElsewhere() {
    FrontedServer from = server;
    if (from == null || !isRepeatable()) {
      return false;
    }
    Set<FrontedServer> all = new HashSet<>(tried);
    all.add(from);
    return loop.directory().choose(path, wanted, false, all).isPresent();
  }

  /** After {@link #triesElsewhere}. */
  void elsewhere() {
    maybeMade = true;
    failed();
    next(true, "it is unavailable");
  }

  private void failed() {
    link = null;
    leave();
    FrontedServer from = server;
    if (from != null) {
      from.history().failed(System.nanoTime(), 0, ThreadLocalRandom.current()::nextLong);
      tried.add(from);
      loop.directory().hurry();
    }
  }

  private void next(boolean allowed, String why) {
    if (!allowed) {
      refuse(
          RnsError.UNAVAILABLE,
          "the server did not answer: " + why + "; " + MAYBE_MADE
              + ". Only requests with a request id are repeated");
      return;
    }
    loop.counters().repeated.increment();
    dispatch();
  }

  /** What the client may assume of a request that was given up. */
  private String effect() {
    return maybeMade ? MAYBE_MADE : "the request was not made";
  }

  private void pauseOrRefuse() {
    boolean forPrimary = wanted == ServerDirectory.Wanted.PRIMARY && loop.directory().reportsPrimary(path);
    long bound = head.isReading() && !forPrimary ? READ_NANOS : PRIMARY_NANOS;
    server = null;
    if (System.nanoTime() - begun > bound) {
      refuse(RnsError.UNAVAILABLE, "no server is reachable, " + tried.size() + " were tried; " + effect());
      return;
    }
    tried.clear();
    var unused = loop.executor().schedule(this::dispatch, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** All places of the server are taken, and those to wait. */
  void crowded() {
    leave();
    refuse(RnsError.BUSY, "all connections to the server are in use, and as many requests wait as may");
  }

  /** It has waited too long. */
  void late() {
    ServerLink with = link;
    if (with == null) {
      cancel();
      refuse(RnsError.BUSY, "no connection to a server became free in time; " + effect());
    } else {
      end();
      with.close();
      client.refuse(this, UNAVAILABLE, RnsError.TIMEOUT, "the server did not answer in time; " + MAYBE_MADE);
    }
  }

  private void refuse(RnsError error, String message) {
    end();
    client.refuse(this, UNAVAILABLE, error, message);
  }

  /** Ends it where it waits. */
  void cancel() {
    FrontedServer at = server;
    if (at != null && link == null) {
      loop.pool().forget(this, at);
    }
    end();
  }

  /** Ends it; its message is given back. */
  void end() {
    if (!over) {
      over = true;
      leave();
      message.release();
    }
  }

  private boolean isRepeatable() {
    if (upload != null) {
      return false;
    }
    if (head.isReading() || head.hasRequestId()) {
      return true;
    }
    return head.isSoap(loop.settings().context())
        && SoapMessages.isRepeatable(body(), head.contentType());
  }
}
