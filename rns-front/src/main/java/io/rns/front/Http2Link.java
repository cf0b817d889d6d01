package io.rns.front;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.handler.codec.http2.DefaultHttp2GoAwayFrame;
import io.netty.handler.codec.http2.DefaultHttp2PingFrame;
import io.netty.handler.codec.http2.DefaultHttp2WindowUpdateFrame;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2HeadersEncoder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2PingFrame;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2UnknownFrame;
import io.netty.util.ReferenceCountUtil;
import io.rns.front.message.ClientHead;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * A client's HTTP/2 connection. Each of its streams is a request that a {@link ClientLink} serves. The connection
 * cannot move to another process: it is drained. Used by the thread of its loop only.
 */
final class Http2Link extends ChannelInboundHandlerAdapter {
  /** Concurrent requests of a connection; others are refused, so that clients repeat them. */
  static final int MOST_STREAMS = 100;
  /** Requests that a client may cancel, or send malformed, in a window of time; then it is disconnected. */
  static final int MOST_RESETS = 200;
  /** Large requests of a connection whose bodies arrive at a time; others are refused. */
  static final int MOST_UPLOADS = 8;
  /** Length of the window, in seconds. */
  static final int RESETS_SECONDS = 30;

  /** Answers to PING and SETTINGS that wait for the client to read; beyond it is disconnected. */
  private static final int MOST_CONTROL_FRAMES = 1_000;
  /** How long a client may send requests after it was told that the connection ends. */
  private static final long NOTICE_NANOS = TimeUnit.SECONDS.toNanos(5);
  /** How long it has sent none when it will not send more: it may have begun some before it was told. */
  private static final long QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
  private static final long NOTICE = 1;
  /** Bytes of requests. */
  private static final long MOST_HELD = 1 << 20;
  /**
   * Bytes that a client may send in all its requests before they are read: twice what all uploads can have unread, so
   * that those that wait for servers do not hold others up.
   */
  private static final int WINDOW = 2 * MOST_UPLOADS * Http2CodecUtil.DEFAULT_WINDOW_SIZE;
  /** Each upload has a server's connection, of which one client must not take most. */
  private static final int SHARE = 4;
  /** The front and its streams have bounds of their own. */
  private static final long WITHOUT_BOUND = -1;
  /** Malformed requests are answered; clients must not fill the log with them. */
  private static final Logger CODEC = Logger.getLogger("io.netty.handler.codec.http2");

  static {
    CODEC.setLevel(Level.SEVERE);
  }

  private final FrontLoop loop;
  private final Channel channel;
  private final boolean secured;
  private final PresentedCertificates certificates;
  private final Http2FrameCodec codec;
  private final Http2Arrival arrival = new Http2Arrival();
  private long unwritableSince;
  private long held;
  private int uploads;
  /** When there was a request last. */
  private long busy = System.nanoTime();
  private long since;
  private boolean leaving;
  private boolean noticed;
  private boolean ending;

  private Http2Link(FrontLoop loop, Channel channel, boolean secured) {
    this.loop = loop;
    this.channel = channel;
    this.secured = secured;
    this.certificates = PresentedCertificates.of(channel);
    // Responses are never indexed: clients choose how much memory an index takes.
    this.codec =
        Http2FrameCodecBuilder.forServer()
            .initialSettings(
                new Http2Settings().maxConcurrentStreams(MOST_STREAMS).maxHeaderListSize(ClientHead.MOST_BYTES))
            .headerSensitivityDetector(Http2HeadersEncoder.ALWAYS_SENSITIVE)
            .decoderEnforceMaxRstFramesPerWindow(MOST_RESETS, RESETS_SECONDS)
            .encoderEnforceMaxRstFramesPerWindow(MOST_RESETS, RESETS_SECONDS)
            .encoderEnforceMaxQueuedControlFrames(MOST_CONTROL_FRAMES)
            .gracefulShutdownTimeoutMillis(WITHOUT_BOUND)
            .build();
    // Else it would hold only once the client has confirmed the settings.
    codec.connection().remote().maxActiveStreams(MOST_STREAMS);
  }

  /**
   * Serves HTTP/2 on a connection from now on, instead of a link that has read nothing of it.
   *
   * @param secured whether it is one of TLS
   */
  static void replace(ClientLink former, FrontLoop loop, Channel channel, boolean secured) {
    Http2Link link = new Http2Link(loop, channel, secured);
    loop.replace(former, link);
    channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, false);
    channel.pipeline().addLast(link.arrival, link.codec, new Extensions(),
        new Http2MultiplexHandler(new ChannelInitializer<>() {
          @Override
          protected void initChannel(Channel stream) {
            stream.config().setWriteBufferWaterMark(ServerPool.BUFFERED);
            stream.pipeline().addLast(new Http2StreamCodec(loop.counters()), new ClientLink(loop, link));
          }
        }), link);
    var unused =
        channel.writeAndFlush(new DefaultHttp2WindowUpdateFrame(WINDOW - Http2CodecUtil.DEFAULT_WINDOW_SIZE));
  }

  /**
   * Drops the frames of extensions, of which this front has none. They have no flow control: a stream that is not read
   * would keep as many as the client sends.
   */
  private static final class Extensions extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (message instanceof Http2UnknownFrame) {
        ReferenceCountUtil.release(message);
      } else {
        context.fireChannelRead(message);
      }
    }
  }

  /** Its streams hold more bytes of requests, and have more uploads, or less if negative. */
  void hold(long more, int moreUploads) {
    held += more;
    uploads += moreUploads;
  }

  /** Whether a stream may pass a body on as it arrives. */
  boolean mayUpload() {
    return uploads < Math.clamp(loop.pool().most() / SHARE, 1, MOST_UPLOADS);
  }

  /** Bytes of requests that have arrived, and wait until their streams read them. */
  long waitingBytes() {
    return codec.connection().local().flowController().unconsumedBytes(codec.connection().connectionStream());
  }

  /** Whether its streams hold as much of requests as one client may have here. */
  boolean isFull() {
    return held > MOST_HELD;
  }

  boolean isSecured() {
    return secured;
  }

  /** What the client has presented. */
  PresentedCertificates certificates() {
    return certificates;
  }

  /** Bytes of a response that the client has not read. */
  static long unreadBytes(Channel stream) {
    return stream.isWritable() ? ServerPool.BUFFERED.high() + 1 - stream.bytesBeforeUnwritable()
        : ServerPool.BUFFERED.low() - 1 + stream.bytesBeforeWritable();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    noticed |= leaving && message instanceof Http2PingFrame ping && ping.ack();
    ReferenceCountUtil.release(message);
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    // What a client causes without reading it would need memory without bound.
    boolean writable = channel.isWritable();
    unwritableSince = writable ? 0 : System.nanoTime();
    channel.config().setAutoRead(writable);
    arrival.restart();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    loop.remove(this);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    // The codec answers violations of the protocol, and disconnects.
    if (!(cause instanceof Http2Exception)) {
      disconnect();
    }
  }

  /** Ends what lasts too long. */
  void checkTime(long now) {
    FrontSettings.Timeouts timeouts = loop.settings().timeouts();
    boolean late =
        unwritableSince == 0 ? arrival.isLate(now, timeouts.request())
            : now - unwritableSince > timeouts.stall().toNanos();
    if (late) {
      loop.counters().cut.increment();
      disconnect();
    } else if (leaving || idle(now) > timeouts.idle().toNanos()) {
      leave(now);
    }
  }

  /** How long there has been no request. */
  private long idle(long now) {
    if (codec.connection().numActiveStreams() > 0) {
      busy = now;
    }
    return now - busy;
  }

  /**
   * Has the client send later requests over another connection, and closes this one when no more come; to be repeated.
   * Those that come meanwhile are answered (RFC 9113, section 6.8).
   */
  void leave(long now) {
    if (!leaving) {
      leaving = true;
      since = now;
      busy = now;
      var unused =
          channel.write(new DefaultHttp2GoAwayFrame(Http2Error.NO_ERROR).setExtraStreamIds(Integer.MAX_VALUE));
      var unused2 = channel.writeAndFlush(new DefaultHttp2PingFrame(NOTICE));
    } else if (now - since > NOTICE_NANOS || (idle(now) > QUIET_NANOS && noticed)) {
      end();
    }
  }

  /** Takes no more requests, and closes the connection when all are answered. */
  private void end() {
    if (!ending) {
      ending = true;
      var unused = channel.write(new DefaultHttp2GoAwayFrame(Http2Error.NO_ERROR));
      var unused2 = channel.close();
    }
  }

  /** Closes the connection at once. */
  void disconnect() {
    ChannelHandlerContext context = channel.pipeline().context(codec);
    var unused = context == null ? channel.close() : context.close();
  }
}
