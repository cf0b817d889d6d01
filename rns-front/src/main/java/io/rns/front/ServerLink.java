package io.rns.front;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.rns.front.message.BodyEnd;
import io.rns.front.message.RefusedMessage;
import io.rns.front.message.ServerHead;
import io.rns.front.message.SharedRead;
import java.io.ByteArrayOutputStream;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a server: sends one request at a time and passes the response on as it arrives, no faster than the
 * client reads. Used by the thread of its loop only.
 */
final class ServerLink extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = Logger.getLogger(ServerLink.class.getName());
  private static final int UNAVAILABLE = 503;
  private static final int INFORMATIONAL = 200;
  private static final int SWITCHING = 101;

  private final FrontLoop loop;
  private final FrontedServer server;
  private @Nullable Channel channel;
  private @Nullable Exchange exchange;
  private @Nullable ClientLink holder;
  private @Nullable ByteBuf inbound;
  private int searched;
  /** What others get of the response, too; null if nothing is kept of it. */
  private @Nullable Keeping keeping;
  /** Where the body of the response ends; null before its head was passed on. */
  private @Nullable BodyEnd answer;
  private boolean closes;
  private boolean stream;
  private boolean placed;
  private boolean flushing;
  private long idleSince;
  private long progress = System.nanoTime();

  /** A response that is kept when it is complete. */
  private record Keeping(
      AnswerCache answers, SharedRead read, ServerHead.Shared head, ByteArrayOutputStream body) {
    /** Whether there is room for more of it. */
    boolean add(ByteBuf bytes) {
      int more = bytes.readableBytes();
      if (body.size() + more > AnswerCache.MOST_BYTES || !answers.arrives(more)) {
        return false;
      }
      body.writeBytes(ByteBufUtil.getBytes(bytes));
      return true;
    }
  }

  ServerLink(FrontLoop loop, FrontedServer server) {
    this.loop = loop;
    this.server = server;
  }

  FrontedServer server() {
    return server;
  }

  Channel channel() {
    Channel own = channel;
    if (own == null) {
      throw new IllegalStateException("not connected");
    }
    return own;
  }

  long idleSince() {
    return idleSince;
  }

  void idleSince(long nanos) {
    idleSince = nanos;
  }

  /** The client whose request has it; null if none has. */
  @Nullable
  ClientLink holder() {
    return holder;
  }

  void holder(@Nullable ClientLink client) {
    holder = client;
  }

  /** When bytes arrived last. */
  long progress() {
    return progress;
  }

  /** Whether the client has a part of the response. */
  boolean hasBegun() {
    return answer != null;
  }

  boolean isStream() {
    return stream;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    channel = context.channel();
  }

  /** Sends a request. */
  void begin(Exchange request) {
    exchange = request;
    answer = null;
    closes = request.head().old();
    progress = System.nanoTime();
    request.attach(this);
    Channel own = channel();
    if (!own.isActive()) {
      exchange = null;
      request.unreachable("its connection ended");
      return;
    }
    var unused = own.writeAndFlush(request.messageTo(server));
    request.client().upload();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    Exchange request = exchange;
    progress = System.nanoTime();
    if (request == null) {
      bytes.release();
      close();
      return;
    }
    ByteBuf held = inbound;
    inbound = held == null ? bytes : Buffers.joined(held, bytes);
    if (!request.client().isFrozen()) {
      process();
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    flushClient();
  }

  private void flushClient() {
    Exchange request = exchange;
    if (flushing && request != null && !request.client().isFrozen()) {
      flushing = false;
      request.client().channel().flush();
    }
  }

  /** Goes on with what has arrived. */
  void process() {
    try {
      while (inbound != null && exchange != null && answer == null && readHead()) {
        // An interim response, which is skipped, or the final one.
        searched = 0;
      }
      if (answer != null) {
        passBody();
      }
    } catch (RefusedMessage e) {
      LOG.log(Level.WARNING, () -> server.url() + " sent an invalid response: " + e.getMessage());
      fail();
    }
  }

  /** Reads a head if it is complete, and passes it on. */
  private boolean readHead() throws RefusedMessage {
    ByteBuf in = inbound;
    Exchange request = exchange;
    if (in == null || request == null) {
      return false;
    }
    int length = ServerHead.end(in, searched);
    if (length < 0) {
      searched = in.readableBytes();
      if (searched > ServerHead.MOST_BYTES) {
        fail();
      }
      return false;
    }
    ServerHead head =
        ServerHead.read(ByteBufUtil.getBytes(in, in.readerIndex(), length, true), request.head().isHead());
    in.skipBytes(length);
    if (head.status() < INFORMATIONAL) {
      if (head.status() == SWITCHING) {
        fail();
      }
      return inbound != null;
    }
    if (head.status() == UNAVAILABLE && request.triesElsewhere()) {
      exchange = null;
      close();
      request.elsewhere();
      return false;
    }
    request.answered(head.status());
    closes |= head.close() || !request.isUploaded();
    if (head.eventStream()) {
      enterStream();
    }
    answer = head.end();
    SharedRead read = request.shared();
    ServerHead.Shared kept = head.shared();
    AnswerCache answers = loop.answers();
    keeping = read == null || kept == null || answers == null ? null
        : new Keeping(answers, read, kept, new ByteArrayOutputStream());
    ClientLink client = request.client();
    boolean last = client.closesAfter(request, head.end().isUntilClose());
    byte[] end = last ? ClientLink.CLOSE_AND_END : ClientLink.END;
    var unused = client.channel().write(Unpooled.wrappedBuffer(head.lines(), end));
    flushing = true;
    return true;
  }

  /** Streams last: they have a limit of their own. */
  private void enterStream() {
    if (!stream) {
      stream = true;
      loop.counters().streams.incrementAndGet();
      leavePlace();
    }
  }

  /** Whether it has one of the places that connections to a server have. */
  boolean isPlaced() {
    return placed;
  }

  /** Takes one of them. */
  void takePlace() {
    placed = true;
  }

  /** Leaves its place to another connection, and serves no other request; has no effect the second time. */
  void leavePlace() {
    if (placed) {
      placed = false;
      closes = true;
      loop.pool().gone(this);
    }
  }

  private void passBody() throws RefusedMessage {
    BodyEnd end = answer;
    Exchange request = exchange;
    if (end == null || request == null) {
      return;
    }
    ByteBuf in = inbound;
    ClientLink client = request.client();
    if (in != null) {
      int to = end.advance(in, in.readerIndex(), null);
      int length = to - in.readerIndex();
      if (length == in.readableBytes()) {
        inbound = null;
        pass(client, in);
      } else if (length > 0) {
        pass(client, in.readRetainedSlice(length));
      }
    }
    if (end.isDone()) {
      flushClient();
      finish();
    } else if (!client.channel().isWritable()) {
      setReading(false);
    }
  }

  private void pass(ClientLink client, ByteBuf bytes) {
    Keeping kept = keeping;
    if (kept != null && !kept.add(bytes)) {
      forget();
    }
    if (bytes.isReadable()) {
      flushing = true;
      var unused = client.channel().write(bytes);
    } else {
      bytes.release();
    }
  }

  private void finish() {
    Exchange request = exchange;
    if (request == null) {
      return;
    }
    keep();
    exchange = null;
    answer = null;
    boolean reusable = !closes && inbound == null && channel().isActive();
    if (reusable) {
      setReading(true);
      loop.pool().free(this);
    } else {
      close();
    }
    request.end();
    request.client().finished(request);
  }

  private void keep() {
    Keeping kept = keeping;
    BodyEnd end = answer;
    Exchange request = exchange;
    if (kept != null && request != null && end != null && end.isDone()) {
      request.keep(kept.answers(), kept.read(), kept.head(), kept.body().toByteArray());
    }
    forget();
  }

  /** Keeps nothing of the response. */
  private void forget() {
    Keeping kept = keeping;
    keeping = null;
    if (kept != null) {
      kept.answers().arrived(kept.body().size());
    }
  }

  /** Whether the server is read: not while the client does not read. */
  void setReading(boolean reading) {
    Channel own = channel();
    if (own.config().isAutoRead() != reading) {
      own.config().setAutoRead(reading);
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    Exchange request = exchange;
    if (request != null && !request.client().isFrozen()) {
      request.client().upload();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    leavePlace();
    if (stream) {
      stream = false;
      loop.counters().streams.decrementAndGet();
    }
    Exchange request = exchange;
    if (request == null || !request.client().isFrozen()) {
      ended();
    }
  }

  /** Whether the server has closed it. */
  boolean isGone() {
    return !channel().isActive();
  }

  /** Deals with the end of the connection. */
  void ended() {
    Exchange request = exchange;
    BodyEnd end = answer;
    if (request != null && end != null) {
      if (end.isUntilClose()) {
        flushClient();
        finish();
      } else {
        // The client must not take a part for the whole.
        LOG.fine(() -> server.url() + " ended in the middle of a response");
        exchange = null;
        request.end();
        flushing = false;
        request.client().channel().flush();
        request.client().close();
      }
    } else {
      fail();
    }
    release();
  }

  private void release() {
    forget();
    ByteBuf held = inbound;
    if (held != null) {
      inbound = null;
      held.release();
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    LOG.log(Level.FINE, cause, () -> "the connection to " + server.url() + " failed");
    var unused = context.close();
  }

  /** The request has to go elsewhere, if it may. */
  private void fail() {
    Exchange request = exchange;
    boolean begun = answer != null;
    exchange = null;
    release();
    close();
    if (request != null) {
      if (begun) {
        request.end();
        request.client().close();
      } else {
        request.broken();
      }
    }
  }

  /** The client is gone. */
  void abandon() {
    exchange = null;
    release();
    close();
  }

  void close() {
    var unused = channel().close();
  }

  /** Its state, after its channel was deregistered. */
  PendingAnswer state() {
    ByteBuf held = inbound;
    return new PendingAnswer(
        server.url().toString(), Buffers.unsent(channel()), held == null ? new byte[0] : ByteBufUtil.getBytes(held),
        answer, closes);
  }

  /**
   * Continues an exchange of another process.
   *
   * @param ended whether the server sends nothing more: it gets no other request
   * @param sent when the server got the request
   */
  void adopt(Exchange request, PendingAnswer state, boolean ended, long sent) {
    exchange = request;
    answer = state.answer();
    closes = state.closes() || ended;
    loop.pool().adopted(this, request.client());
    request.resume(this, sent);
    if (request.head().isWatch(loop.settings().context()) && answer != null) {
      enterStream();
    }
    if (state.inbound().length > 0) {
      inbound = Unpooled.wrappedBuffer(state.inbound());
    }
    if (state.outbound().length > 0) {
      var unused = channel().writeAndFlush(Unpooled.wrappedBuffer(state.outbound()));
    }
    process();
    flushClient();
    resumeReading();
  }

  /** Another process has it: closes it here, which the server does not notice. */
  void handedOver() {
    exchange = null;
    release();
    leavePlace();
    if (stream) {
      stream = false;
      loop.counters().streams.decrementAndGet();
    }
    close();
  }

  /** It stays here after all. */
  void thawed() {
    if (isGone()) {
      process();
      ended();
      return;
    }
    channel().flush();
    process();
    flushClient();
    resumeReading();
  }

  private void resumeReading() {
    Exchange request = exchange;
    if (request != null) {
      setReading(request.client().channel().isWritable());
    }
  }
}
