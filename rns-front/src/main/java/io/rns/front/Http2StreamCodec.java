package io.rns.front;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.Http2StreamFrame;
import io.netty.util.AsciiString;
import io.netty.util.ReferenceCountUtil;
import io.rns.front.message.BodyEnd;
import io.rns.front.message.RefusedMessage;
import io.rns.front.message.ServerHead;
import io.rns.front.message.StreamHead;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Lets a {@link ClientLink} serve a stream of an HTTP/2 connection: turns the request into one of HTTP/1.1, whose
 * checks and limits it has then, and the response into one of HTTP/2. Used by the thread of its loop only.
 */
final class Http2StreamCodec extends ChannelDuplexHandler {
  private static final int FINAL = 200;

  private final FrontCounters counters;
  private @Nullable ChannelHandlerContext context;
  private @Nullable StreamHead request;
  private long arrived;
  private boolean received;
  /** Where the body of the response ends; null before its head was written. */
  private @Nullable BodyEnd answer;
  private boolean answered;
  private @Nullable ChannelFuture last;

  Http2StreamCodec(FrontCounters counters) {
    this.counters = counters;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext own) {
    context = own;
  }

  @Override
  public void channelRead(ChannelHandlerContext own, Object message) {
    StreamHead begun = request;
    try {
      if (message instanceof Http2HeadersFrame frame && begun == null) {
        begin(own, frame);
      } else if (message instanceof Http2HeadersFrame trailers && begun != null) {
        receive(own, begun, Unpooled.EMPTY_BUFFER, trailers.isEndStream());
      } else if (message instanceof Http2DataFrame frame && begun != null) {
        receive(own, begun, frame.content(), frame.isEndStream());
      }
    } catch (RefusedMessage e) {
      counters.refused.increment();
      reset(own, Http2Error.PROTOCOL_ERROR);
    } finally {
      ReferenceCountUtil.release(message);
    }
  }

  private void begin(ChannelHandlerContext own, Http2HeadersFrame frame) throws RefusedMessage {
    StreamHead begun = StreamHead.read(frame.headers(), frame.isEndStream());
    request = begun;
    received = frame.isEndStream();
    own.fireChannelRead(Unpooled.wrappedBuffer(begun.head()));
  }

  /** Passes a part of the body on, never more than announced: HTTP/1.1 would take the rest for another request. */
  private void receive(ChannelHandlerContext own, StreamHead begun, ByteBuf content, boolean ended)
      throws RefusedMessage {
    arrived += content.readableBytes();
    begun.check(arrived, ended);
    received |= ended;
    ByteBuf bytes =
        begun.length() < 0 ? Buffers.chunk(own.alloc(), content, ended)
            : content.readRetainedSlice(content.readableBytes());
    if (bytes.isReadable()) {
      own.fireChannelRead(bytes);
    } else {
      bytes.release();
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext own, Object event) {
    if (event instanceof Http2ResetFrame) {
      counters.resets.increment();
      // Its own end would wait until all that has arrived was read.
      var unused = own.close();
      return;
    }
    own.fireUserEventTriggered(event);
  }

  @Override
  public void write(ChannelHandlerContext own, Object message, ChannelPromise promise) {
    ByteBuf bytes = (ByteBuf) message;
    try {
      if (bytes.isReadable() && answer == null) {
        writeHead(own, bytes);
      }
      BodyEnd end = answer;
      if (bytes.isReadable() && end != null && !answered) {
        writeBody(own, bytes, end);
      }
      follow(promise);
    } catch (RefusedMessage e) {
      reset(own, Http2Error.INTERNAL_ERROR);
      promise.setFailure(e);
    } finally {
      bytes.release();
    }
  }

  private void writeHead(ChannelHandlerContext own, ByteBuf bytes) throws RefusedMessage {
    byte[] lines = new byte[ServerHead.end(bytes, 0)];
    bytes.readBytes(lines);
    StreamHead asked = request;
    ServerHead head = ServerHead.read(lines, asked != null && asked.toHead());
    Http2Headers headers = new DefaultHttp2Headers(false).status(Integer.toString(head.status()));
    for (Map.Entry<String, String> field : StreamHead.fields(head)) {
      headers.add(field.getKey(), new AsciiString(field.getValue(), StandardCharsets.ISO_8859_1));
    }
    if (head.status() >= FINAL) {
      answer = head.end();
      answered = head.end().isDone();
    }
    send(own, new DefaultHttp2HeadersFrame(headers, answered));
  }

  private void writeBody(ChannelHandlerContext own, ByteBuf bytes, BodyEnd end) throws RefusedMessage {
    ByteBuf data = own.alloc().buffer(bytes.readableBytes());
    try {
      int unused = end.advance(bytes, bytes.readerIndex(), data);
    } catch (RefusedMessage e) {
      data.release();
      throw e;
    }
    answered = end.isDone();
    if (data.isReadable() || answered) {
      send(own, new DefaultHttp2DataFrame(data, answered));
    } else {
      data.release();
    }
  }

  private void send(ChannelHandlerContext own, Http2StreamFrame frame) {
    ChannelFuture written = own.write(frame);
    last = written;
    if (answered) {
      written.addListener(done -> {
        if (!received) {
          // The response does not depend on the rest of the request (RFC 9113, section 8.1).
          reset(own, Http2Error.NO_ERROR);
        }
      });
    }
  }

  /** Completes a write when all before it are complete. */
  private void follow(ChannelPromise promise) {
    ChannelFuture before = last;
    if (before == null) {
      promise.setSuccess();
    } else {
      before.addListener(done -> {
        if (done.isSuccess()) {
          promise.trySuccess();
        } else {
          promise.tryFailure(done.cause());
        }
      });
    }
  }

  /** Ends a response whose end is that of the connection in HTTP/1.1. */
  void endOutput() {
    ChannelHandlerContext own = context;
    if (own != null && answer != null && !answered) {
      answered = true;
      send(own, new DefaultHttp2DataFrame(true));
      own.flush();
    }
  }

  private void reset(ChannelHandlerContext own, Http2Error error) {
    received = true;
    answered = true;
    var unused = own.writeAndFlush(new DefaultHttp2ResetFrame(error));
  }

  /** Resets the stream unless all of the response was sent. A request that was not read may be repeated. */
  @Override
  public void close(ChannelHandlerContext own, ChannelPromise promise) {
    ChannelFuture before = last;
    if (!answered || before == null || !before.isDone()) {
      reset(own, request == null ? Http2Error.REFUSED_STREAM : Http2Error.CANCEL);
    }
    var unused = own.close(promise);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext own, Throwable cause) {
    reset(own, cause instanceof Http2Exception known ? known.error() : Http2Error.INTERNAL_ERROR);
  }
}
