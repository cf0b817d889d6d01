package io.rns.front;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.rns.error.RnsError;
import io.rns.front.message.BodyEnd;
import io.rns.front.message.ClientHead;
import io.rns.front.message.RefusedMessage;
import io.rns.front.message.SharedRead;
import io.rns.identity.OriginPassing;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A client's connection: reads requests, one after the other, and has each one answered before the next. Bytes stay as
 * they came until a request is complete, or too large to be held: so a connection can move to another process at any
 * time. A stream of an HTTP/2 connection is served like a connection with one request, behind an
 * {@link Http2StreamCodec}. Used by the thread of its loop only.
 */
final class ClientLink extends ChannelInboundHandlerAdapter {
  static final byte[] END = ascii("\r\n");
  static final byte[] CLOSE_AND_END = ascii("Connection: close\r\n\r\n");

  private static final byte[] NOTHING = {};
  /**
   * SETTINGS, and GOAWAY before the first stream: the client repeats its requests over another connection. For those
   * taken over from another process, on which the codec does not serve the first stream.
   */
  private static final byte[] GO_AWAY = HexFormat.of().parseHex(
      "000000" + "0400" + "00000000" + "000008" + "0700" + "00000000" + "00000000" + "00000000");
  private static final byte[] CONTINUE = ascii("HTTP/1.1 100 Continue\r\n\r\n");
  private static final byte[] CLOSE_FIELD = ascii("Connection: close\r\n");
  /** How long a closed client may take to read the rest. */
  private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long PLACE_NANOS = TimeUnit.SECONDS.toNanos(20);
  /** How long a client may read nothing while requests of others wait for its connection to a server. */
  private static final long CROWDED_STALL_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final int UNAVAILABLE = 503;

  private final FrontLoop loop;
  private final boolean secured;
  /** The connection that has the stream; null for a connection of its own. */
  private final @Nullable Http2Link connection;
  private @Nullable Channel channel;
  private final ArrivingRequests arriving = new ArrivingRequests();
  private boolean continued;
  private String address = "";
  private @Nullable PresentedCertificates certificates;
  private @Nullable Exchange exchange;
  private boolean closing;
  private boolean lingering;
  private boolean outputEnded;
  private boolean inputEnded;
  private boolean used;
  private boolean replaced;
  private boolean leaving;
  private boolean frozen;
  private boolean advancing;
  /** When the request began to arrive, or was complete; without one, when the last one ended. */
  private long since = System.nanoTime();
  /** Whether the request that arrives was complete, and waited for a server: it has waited since then. */
  private boolean whole;
  private long unwritableSince;
  private long held;
  /** 1 while a body is passed on as it arrives, 0 else. */
  private int uploads;

  /**
   * A connection.
   *
   * @param secured whether it is one of TLS
   */
  ClientLink(FrontLoop loop, boolean secured) {
    this.loop = loop;
    this.secured = secured;
    this.connection = null;
  }

  /** A stream of a connection. */
  ClientLink(FrontLoop loop, Http2Link connection) {
    this.loop = loop;
    this.secured = connection.isSecured();
    this.connection = connection;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  Channel channel() {
    Channel own = channel;
    if (own == null) {
      throw new IllegalStateException("not connected");
    }
    return own;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    channel = context.channel();
    if (!loop.add(this)) {
      var unused = context.close();
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    if (lingering) {
      bytes.release();
      return;
    }
    if (arriving.isEmpty() && exchange == null) {
      since = System.nanoTime();
    }
    arriving.add(bytes);
    advance();
  }

  /** Goes on with what has arrived. */
  private void advance() {
    if (frozen || advancing) {
      return;
    }
    advancing = true;
    try {
      boolean more = exchange == null;
      while (more) {
        more = readRequest() && exchange == null;
      }
      uploadSome();
    } catch (RefusedMessage e) {
      refuseAndClose(e.status(), e.error(), String.valueOf(e.getMessage()));
    } finally {
      advancing = false;
    }
    if (!replaced) {
      if (inputEnded) {
        endInput();
      }
      arriving.trim();
      count();
      refuseIfFull();
      updateReading();
    }
  }

  /** Else what is held of requests that are not complete would have no bound. */
  private void refuseIfFull() {
    boolean full = loop.isFull() || (connection != null && connection.isFull());
    if (full && !arriving.isEmpty() && exchange == null && !lingering && !closing) {
      refuseAndClose(UNAVAILABLE, RnsError.BUSY, "the front has no memory for more requests now");
    }
  }

  /** Whether there was one. */
  private boolean readRequest() throws RefusedMessage {
    if (lingering || closing) {
      return false;
    }
    if (!used && !secured && connection == null && arriving.isPreface()) {
      if (channel().parent() == null) {
        closing = true;
        endGently(channel().writeAndFlush(Unpooled.wrappedBuffer(GO_AWAY)));
      } else {
        serveHttp2();
      }
      return false;
    }
    ClientHead known = arriving.readHead();
    if (known == null) {
      return false;
    }
    if (!known.isBelow(loop.settings().context())) {
      refuseUnknown();
      return false;
    }
    ArrivingRequests.Request request = arriving.read();
    if (request == null) {
      sendContinue(known);
      return false;
    }
    begin(request);
    return true;
  }

  /** Leaves the connection, with the bytes that have arrived, to the one of HTTP/2. */
  private void serveHttp2() {
    ByteBuf in = arriving.take();
    count();
    replaced = true;
    Http2Link.replace(this, loop, channel(), secured);
    ChannelHandlerContext own = channel().pipeline().context(this);
    if (in != null) {
      own.fireChannelRead(in).fireChannelReadComplete();
    }
    var unused = channel().pipeline().remove(this);
  }

  private void sendContinue(ClientHead known) {
    if (known.expectsContinue() && !continued) {
      continued = true;
      var unused = channel().writeAndFlush(Unpooled.wrappedBuffer(CONTINUE));
    }
  }

  private void begin(ArrivingRequests.Request request) {
    ClientHead known = request.head();
    ByteBuf content = request.content();
    BodyEnd upload = request.upload();
    if (upload != null && connection != null && !connection.mayUpload()) {
      refuseAndClose(UNAVAILABLE, RnsError.BUSY,
          "the connection has as many large requests on their way as it may; the request was not made");
      return;
    }
    if (upload != null) {
      sendContinue(known);
    }
    SharedRead read = upload == null ? shared(known, content) : null;
    ByteBuf kept = read == null ? null : kept(known, read);
    if (kept != null) {
      if (content != null) {
        content.release();
      }
      beginNext(known);
      closing |= isLast();
      loop.counters().cached.increment();
      answer(kept, closing);
      return;
    }
    byte[] first = known.forServer(request.framing(), origin());
    ByteBuf message = content == null || !content.isReadable() ? Unpooled.wrappedBuffer(first)
        : channel().alloc().buffer(first.length + content.readableBytes()).writeBytes(first).writeBytes(content);
    if (content != null) {
      content.release();
    }
    beginNext(known);
    Exchange begun = new Exchange(loop, this, known, request.framing(), message, first.length, upload);
    begun.share(read);
    exchange = begun;
    if (loop.isFull() && upload == null) {
      begun.end();
      refuse(begun, UNAVAILABLE, RnsError.BUSY, "the front has no memory for more requests now");
    } else if (known.isWatch(loop.settings().context())
        && loop.counters().streams.get() >= loop.settings().limits().streams()) {
      begun.end();
      refuse(begun, UNAVAILABLE, RnsError.BUSY, "as many watches are open as the front allows");
    } else {
      loop.counters().requests.increment();
      send(begun);
    }
  }

  /** The request was read: what follows is another one. */
  private void beginNext(ClientHead known) {
    used = true;
    if (!whole) {
      since = System.nanoTime();
    }
    whole = false;
    arriving.next();
    continued = false;
    closing |= known.close() || leaving || loop.isDraining();
  }

  /** What others may ask for, too; null if the client proves who it is, or nothing is kept. */
  private @Nullable SharedRead shared(ClientHead known, @Nullable ByteBuf content) {
    SharedRead read = known.shared();
    boolean named = loop.certificates() != null && secured && !presented().chain().isEmpty();
    if (read == null || loop.answers() == null || named) {
      return null;
    }
    return !read.message() ? read : content == null ? null : SoapMessages.read(read, content);
  }

  /** The answer that the front has itself; null if there is none. */
  private @Nullable ByteBuf kept(ClientHead known, SharedRead read) {
    AnswerCache answers = loop.answers();
    return answers != null && channel().isWritable() && !loop.isFull()
        ? answers.answer(read, closing || isLast() || leaving || known.close() || loop.isDraining(),
            channel().alloc())
        : null;
  }

  /** Sends a request, as soon as it is known who its client is by the certificates that it has presented. */
  private void send(Exchange begun) {
    CertificateCallers callers = loop.certificates();
    if (callers == null || !secured || begun.head().hasCredential()) {
      begun.dispatch();
      return;
    }
    PresentedCertificates presented = presented();
    if (presented.chain().isEmpty()) {
      begun.dispatch();
      return;
    }
    String known = presented.text(callers);
    if (known != null) {
      begun.passOn(known);
      begun.dispatch();
      return;
    }
    PresentedCertificates own = presented;
    callers.find(own.chain(), address(), found -> loop.executor().execute(() -> sendFor(begun, own, found)));
  }

  private PresentedCertificates presented() {
    PresentedCertificates presented = connection == null ? certificates : connection.certificates();
    if (presented == null) {
      presented = PresentedCertificates.of(channel());
      certificates = presented;
    }
    return presented;
  }

  private void sendFor(Exchange begun, PresentedCertificates presented, CertificateCaller found) {
    if (exchange != begun || begun.isOver()) {
      return;
    }
    switch (found) {
      case CertificateCaller.Decided decided -> {
        presented.decide(decided);
        begun.passOn(decided.text());
        begun.dispatch();
      }
      case CertificateCaller.Undecided undecided -> {
        begun.end();
        refuse(begun, UNAVAILABLE, undecided.error(), undecided.reason());
      }
    }
  }

  /** The line that tells a server where the client is; empty if the front has no secret of servers. */
  private byte[] origin() {
    OriginPassing origins = loop.origins();
    if (origins == null) {
      return NOTHING;
    }
    return origins.header(address()).map(header -> ascii(header.name() + ": " + header.value() + "\r\n"))
        .orElse(NOTHING);
  }

  /** Where the client is; empty if that is not known. */
  String address() {
    if (address.isEmpty() && channel().remoteAddress() instanceof InetSocketAddress remote) {
      address = OriginPassing.origin(remote.getAddress().getHostAddress());
    }
    return address;
  }

  /** Passes more of an arriving body on; called when the server can take more. */
  void upload() {
    advance();
  }

  private void uploadSome() {
    Exchange running = exchange;
    BodyEnd upload = running == null ? null : running.upload();
    ServerLink link = running == null ? null : running.link();
    if (running == null || arriving.isEmpty() || upload == null || link == null || upload.isDone()
        || !link.channel().isWritable()) {
      return;
    }
    since = System.nanoTime();
    try {
      var unused = link.channel().writeAndFlush(arriving.readBody(running.framing(), upload));
    } catch (RefusedMessage e) {
      boolean begun = link.hasBegun();
      exchange = null;
      running.end();
      link.abandon();
      if (begun) {
        close();
      } else {
        refuseAndClose(e.status(), e.error(), String.valueOf(e.getMessage()));
      }
    }
  }

  /** Whether the connection closes after the response that begins now. */
  boolean closesAfter(Exchange request, boolean untilClose) {
    closing |= untilClose || !request.isUploaded() || isLast() || leaving || loop.isDraining();
    return closing;
  }

  /** The response is complete. */
  void finished(Exchange done) {
    if (exchange != done) {
      return;
    }
    exchange = null;
    since = System.nanoTime();
    if (closing || !done.isUploaded()) {
      endGently(channel().writeAndFlush(Unpooled.EMPTY_BUFFER));
    } else {
      advance();
    }
  }

  /** Whether the client has sent nothing behind the request that was read, and will not. */
  private boolean isLast() {
    return inputEnded && arriving.isLast();
  }

  /** Answers a request with an error; the request has ended. */
  void refuse(Exchange request, int status, RnsError error, String message) {
    if (exchange == request) {
      loop.counters().refused.increment();
      boolean last = closesAfter(request, false);
      answer(FrontReply.error(request.head(), loop.settings().context(), status, error, message, last), last);
    }
  }

  /** Has the client fetch its response at another address; the request has ended. */
  void sendTo(Exchange request, String address) {
    if (exchange == request) {
      loop.counters().direct.increment();
      boolean last = closesAfter(request, false);
      answer(Unpooled.wrappedBuffer(DirectDelegation.redirect(address, last)), last);
    }
  }

  private void answer(ByteBuf reply, boolean last) {
    exchange = null;
    int bytes = reply.readableBytes();
    ChannelFuture written = channel().writeAndFlush(reply);
    if (!written.isDone()) {
      // The next sweep would be too late: nothing slows these down as a server does.
      loop.hold(bytes);
      written.addListener(done -> loop.hold(-bytes));
    }
    since = System.nanoTime();
    if (last) {
      endGently(written);
    } else {
      advance();
    }
  }

  /** Answers what cannot be passed on. Where the next request begins is not known. */
  private void refuseAndClose(int status, RnsError error, String message) {
    closing = true;
    loop.counters().refused.increment();
    ByteBuf reply = FrontReply.error(arriving.head(), loop.settings().context(), status, error, message, true);
    endGently(channel().writeAndFlush(reply));
  }

  private void refuseUnknown() {
    closing = true;
    loop.counters().refused.increment();
    endGently(channel().writeAndFlush(FrontReply.notFound(true)));
  }

  /** Closes when the client has had time to read what was written: unread bytes would have the system reset it. */
  private void endGently(ChannelFuture written) {
    lingering = true;
    since = System.nanoTime();
    arriving.drop();
    count();
    if (!channel().config().isAutoRead()) {
      channel().config().setAutoRead(true);
    }
    written.addListener(done -> {
      outputEnded = true;
      since = System.nanoTime();
      if (inputEnded) {
        close();
      } else {
        endOutput();
      }
    });
  }

  private void endOutput() {
    Http2StreamCodec stream = channel().pipeline().get(Http2StreamCodec.class);
    SslHandler tls = channel().pipeline().get(SslHandler.class);
    if (stream != null) {
      stream.endOutput();
    } else if (tls != null) {
      tls.closeOutbound().addListener(closed -> shutdownOutput());
    } else {
      shutdownOutput();
    }
  }

  private void shutdownOutput() {
    if (channel() instanceof DuplexChannel duplex && duplex.isActive()) {
      var unused = duplex.shutdownOutput();
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    SslHandler tls = event instanceof SslHandshakeCompletionEvent ? context.pipeline().get(SslHandler.class) : null;
    if (tls != null && ApplicationProtocolNames.HTTP_2.equals(tls.applicationProtocol())) {
      serveHttp2();
      return;
    }
    if (!inputEnded && (event instanceof ChannelInputShutdownEvent || event instanceof SslCloseCompletionEvent)) {
      inputEnded = true;
      if (!frozen) {
        endInput();
      }
    }
  }

  /** The client sends nothing more: it gets the rest of responses, and of a request that is complete. */
  private void endInput() {
    Exchange running = exchange;
    ServerLink link = running == null ? null : running.link();
    boolean endless = link != null && link.isStream();
    if (running != null) {
      if (endless || (!running.isUploaded() && arriving.isEmpty())) {
        close();
      }
    } else if (lingering) {
      if (outputEnded) {
        close();
      }
    } else if (!arriving.isEmpty()) {
      refuseAndClose(400, RnsError.MALFORMED_MESSAGE, "the request is incomplete");
    } else if (unreadBytes() == 0) {
      close();
    } else {
      endGently(channel().writeAndFlush(Unpooled.EMPTY_BUFFER));
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    boolean writable = context.channel().isWritable();
    unwritableSince = writable ? 0 : System.nanoTime();
    Exchange running = exchange;
    ServerLink link = running == null ? null : running.link();
    if (link != null && !frozen) {
      link.setReading(writable);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    if (!frozen) {
      ended();
    }
  }

  private void ended() {
    loop.remove(this);
    Exchange running = exchange;
    if (running != null) {
      exchange = null;
      ServerLink link = running.link();
      running.cancel();
      if (link != null) {
        link.abandon();
      }
    }
    arriving.drop();
    count();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    var unused = context.close();
  }

  void close() {
    var unused = channel().close();
  }

  /** Closes it unless a request is on its way; then after the response. Streams end with their requests. */
  void closeIfIdle() {
    if (!isIdle() || isMultiplexed()) {
      return;
    }
    if (unreadBytes() == 0) {
      close();
    } else {
      endGently(channel().writeAndFlush(Unpooled.EMPTY_BUFFER));
    }
  }

  /** Closes it after the response that is on its way; at once without one, or if it is a watch. */
  void leave() {
    leaving = true;
    closeIfIdle();
    closeIfStream();
  }

  /** Closes it if it is a watch. */
  void closeIfStream() {
    ServerLink link = movingWith();
    if (link != null && link.isStream()) {
      close();
    }
  }

  /** Whether no request is on its way, or arriving. */
  boolean isIdle() {
    return exchange == null && arriving.isEmpty() && !lingering;
  }

  private void count() {
    Exchange running = exchange;
    long now = arriving.capacity()
        + (running == null ? 0 : running.message().readableBytes() + running.head().lines().length);
    int uploading = running == null || running.isUploaded() ? 0 : 1;
    if (connection != null) {
      connection.hold(now - held, uploading - uploads);
    }
    loop.hold(now - held);
    held = now;
    uploads = uploading;
  }

  private void updateReading() {
    if (lingering || frozen) {
      return;
    }
    boolean reading = exchange == null || arriving.hasRoom();
    Channel own = channel();
    if (own.config().isAutoRead() != reading) {
      own.config().setAutoRead(reading);
    }
  }

  /** Bytes of responses that the client has not read. */
  long unreadBytes() {
    if (isMultiplexed()) {
      return Http2Link.unreadBytes(channel());
    }
    return channel().unsafe().outboundBuffer() == null ? 0
        : channel().unsafe().outboundBuffer().totalPendingWriteBytes();
  }

  /** Ends what lasts too long. */
  void checkTime(long now) {
    if (frozen) {
      return;
    }
    FrontSettings.Timeouts timeouts = loop.settings().timeouts();
    Exchange running = exchange;
    if (lingering) {
      if (now - since > (outputEnded ? LINGER_NANOS : timeouts.stall().toNanos())) {
        close();
      }
    } else if (unwritableSince != 0 && isStalled(now - unwritableSince)) {
      loop.counters().cut.increment();
      ServerLink link = movingWith();
      if (link != null) {
        // At once: as many clients are disconnected as requests wait, and no more.
        link.leavePlace();
      }
      close();
    } else if (running != null) {
      checkExchange(running, now);
    } else if (!arriving.isEmpty() && now - since > timeouts.request().toNanos()) {
      refuseAndClose(408, RnsError.TIMEOUT,
          "the request did not arrive within " + timeouts.request().toSeconds() + " s");
    } else if (arriving.isEmpty() && now - since > (isMultiplexed() ? timeouts.stall() : timeouts.idle()).toNanos()) {
      // Without a request, a stream has a response that the client does not read.
      close();
    }
  }

  /** Else clients that do not read could have all connections to a server for as long as one may. */
  private boolean isStalled(long nanos) {
    ServerLink link = movingWith();
    return nanos > loop.settings().timeouts().stall().toNanos()
        || (nanos > CROWDED_STALL_NANOS && link != null && loop.pool().isWanted(link));
  }

  private void checkExchange(Exchange running, long now) {
    FrontSettings.Timeouts timeouts = loop.settings().timeouts();
    ServerLink link = running.link();
    if (!running.isUploaded() && link != null) {
      if (now - since > timeouts.request().toNanos()) {
        close();
      }
    } else if (link == null) {
      if (now - since > PLACE_NANOS) {
        running.late();
      }
    } else if (!link.hasBegun()) {
      if (now - running.sent() > timeouts.answer().toNanos() && now - since > timeouts.answer().toNanos()) {
        running.late();
      }
    } else if (channel().isWritable()
        && now - link.progress() > timeouts.stall().toNanos() + timeouts.answer().toNanos()) {
      close();
    }
  }

  /** The HTTP/2 connection that has the stream; null for a connection of its own. */
  @Nullable
  Http2Link connection() {
    return connection;
  }

  /** When the request began to arrive, or was complete. */
  long since() {
    return since;
  }

  /** Whether it is a stream of an HTTP/2 connection. */
  boolean isMultiplexed() {
    return connection != null;
  }

  /** Whether it is one of TLS. */
  boolean isSecured() {
    return secured;
  }

  boolean isFrozen() {
    return frozen;
  }

  /**
   * Whether it can move to another process: not one of TLS or HTTP/2, whose state cannot be had, here or at the server,
   * nor while it only waits for the client to close it.
   */
  boolean isMovable() {
    ServerLink link = movingWith();
    boolean plain = !secured && !isMultiplexed() && (link == null || !link.server().isSecured());
    return plain && !lingering && !frozen && channel().isActive();
  }

  /**
   * Stops all work on the connection and its server connection, so that both can move to another process.
   *
   * @return done when neither is read or written any more
   */
  ChannelFuture freeze() {
    frozen = true;
    unsend();
    ServerLink link = movingWith();
    ChannelFuture own = channel().deregister();
    return link == null ? own : link.channel().deregister();
  }

  /** Takes back a request that no server has yet: it becomes one that arrives now. */
  private void unsend() {
    Exchange running = exchange;
    if (running != null && running.link() == null) {
      byte[] rest = arriving.unread();
      arriving.drop();
      arriving.add(unsent(running, rest));
      exchange = null;
      whole = true;
      continued = true;
      closing = false;
      running.cancel();
    }
  }

  private ByteBuf unsent(Exchange running, byte[] rest) {
    ByteBuf request = running.message();
    byte[] option = closing ? CLOSE_FIELD : new byte[0];
    int lines = running.head().lines().length;
    int start = request.readerIndex();
    return Unpooled.buffer(request.readableBytes() + option.length + rest.length)
        .writeBytes(request, start, lines)
        .writeBytes(option)
        .writeBytes(request, start + lines, request.readableBytes() - lines)
        .writeBytes(rest);
  }

  /** The state of a frozen connection; empty if it, or its server connection, has ended meanwhile. */
  Optional<ConnectionState> state() {
    ServerLink link = movingWith();
    if (!channel().isActive() || (link != null && link.isGone())) {
      return Optional.empty();
    }
    byte[] unread = arriving.unread();
    Exchange running = exchange;
    if (running == null || link == null) {
      return Optional.of(
          new ConnectionState(millis(since), whole, continued, closing, inputEnded, Buffers.unsent(channel()), unread,
              null));
    }
    return Optional.of(
        new ConnectionState(
            millis(since), false, false, closing, inputEnded, Buffers.unsent(channel()), unread,
            new PendingRequest(
                running.head().lines(), running.framing(), ByteBufUtil.getBytes(running.message()), running.upload(),
                millis(running.sent()), link.state())));
  }

  private static int millis(long since) {
    return (int) Math.min(Integer.MAX_VALUE, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since));
  }

  private static long ago(int millis) {
    return System.nanoTime() - TimeUnit.MILLISECONDS.toNanos(millis);
  }

  /** The server connection that moves with it; null if there is none. */
  @Nullable
  ServerLink movingWith() {
    Exchange running = exchange;
    return running == null ? null : running.link();
  }

  /** Another process has it: closes it here, which the client does not notice. */
  void handedOver() {
    loop.remove(this);
    Exchange running = exchange;
    ServerLink link = movingWith();
    exchange = null;
    if (running != null) {
      running.cancel();
    }
    if (link != null) {
      link.handedOver();
    }
    arriving.drop();
    count();
    close();
  }

  /** It stays here after all. */
  void thaw() {
    ServerLink link = movingWith();
    if (link != null) {
      loop.executor().register(link.channel()).addListener(done -> thawSelf());
    } else {
      thawSelf();
    }
  }

  private void thawSelf() {
    loop.executor().register(channel()).addListener(done -> {
      frozen = false;
      if (!done.isSuccess() || !channel().isActive()) {
        ended();
        close();
        return;
      }
      channel().flush();
      ServerLink link = movingWith();
      if (link != null) {
        link.thawed();
      }
      advance();
      if (inputEnded) {
        endInput();
      }
    });
  }

  /**
   * Continues a connection of another process.
   *
   * @param link that of its server; null if no server has its request
   * @param serverEnded whether that server sends nothing more
   */
  void adopt(ConnectionState state, @Nullable ServerLink link, boolean serverEnded) {
    since = ago(state.waited());
    whole = state.whole();
    continued = state.continued();
    closing = state.closing();
    loop.counters().taken.increment();
    if (state.outbound().length > 0) {
      var unused = channel().writeAndFlush(Unpooled.wrappedBuffer(state.outbound()));
    }
    if (state.inbound().length > 0) {
      arriving.add(Unpooled.wrappedBuffer(state.inbound()));
    }
    PendingRequest pending = state.request();
    if (pending != null) {
      loop.counters().takenRequests.increment();
      loop.counters().takenBytes.add(state.length());
      used = true;
      Exchange resumed =
          new Exchange(loop, this, pending.head(), pending.framing(), Unpooled.wrappedBuffer(pending.message()),
              pending.headBytes(), pending.upload());
      exchange = resumed;
      PendingAnswer answer = pending.answer();
      if (answer == null || link == null) {
        resumed.broken();
      } else {
        link.adopt(resumed, answer, serverEnded, ago(pending.sent()));
      }
    } else if (closing) {
      endGently(channel().writeAndFlush(Unpooled.EMPTY_BUFFER));
      return;
    }
    advance();
  }
}
