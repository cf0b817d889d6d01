package io.rns.front;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A client that sends frames of HTTP/2 as they are, and reads responses. */
final class Http2Peer implements AutoCloseable {
  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int RESET = 3;
  static final int SETTINGS = 4;
  static final int PING = 6;
  static final int GOAWAY = 7;
  static final int WINDOW_UPDATE = 8;
  static final int CONTINUATION = 9;

  static final int END_STREAM = 1;
  static final int ACK = 1;
  static final int END_HEADERS = 4;

  static final int INITIAL_WINDOW_SIZE = 4;

  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

  /** A response, as far as it has arrived. */
  static final class Response {
    final List<Integer> interim = new ArrayList<>();
    int status;
    final Map<String, String> fields = new HashMap<>();
    final ByteArrayOutputStream content = new ByteArrayOutputStream();
    boolean complete;
    /** The error of its end; -1 without. */
    int reset = -1;

    String body() {
      return content.toString(StandardCharsets.ISO_8859_1);
    }
  }

  /** The last stream that the server answers, and why it ends. */
  record GoAway(int last, int error) {}

  final List<GoAway> goAways = new ArrayList<>();
  /** Off: the server may send no more than the windows allow. */
  boolean reads = true;
  /** Off: the server does not know whether the client has seen its frames. */
  boolean acknowledges = true;

  private final Socket socket;
  private final DataInputStream in;
  private final DefaultHttp2HeadersEncoder encoder = new DefaultHttp2HeadersEncoder();
  private final DefaultHttp2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder(false, 1 << 20);
  private final Map<Integer, Response> responses = new HashMap<>();
  /** What may be sent: 65,535 bytes, and what the server adds. */
  private final Map<Integer, Integer> windows = new HashMap<>();

  Http2Peer(int port) throws IOException {
    this(new Socket(InetAddress.getLoopbackAddress(), port), new byte[0]);
  }

  /** With settings of its own. */
  Http2Peer(Socket socket, byte[] settings) throws IOException {
    this.socket = socket;
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(30_000);
    in = new DataInputStream(new java.io.BufferedInputStream(socket.getInputStream(), 65_536));
    socket.getOutputStream().write(PREFACE.getBytes(StandardCharsets.US_ASCII));
    send(SETTINGS, 0, 0, settings);
  }

  static byte[] setting(int name, int value) {
    return ByteBuffer.allocate(6).putShort((short) name).putInt(value).array();
  }

  static byte[] number(int value) {
    return ByteBuffer.allocate(4).putInt(value).array();
  }

  Socket socket() {
    return socket;
  }

  Http2Peer send(int type, int flags, int stream, byte[] payload) throws IOException {
    ByteBuffer frame = ByteBuffer.allocate(9 + payload.length);
    frame.put((byte) (payload.length >> 16)).putShort((short) payload.length).put((byte) type).put((byte) flags)
        .putInt(stream).put(payload);
    socket.getOutputStream().write(frame.array());
    return this;
  }

  /** Names and values in turn, as a block of fields. */
  byte[] block(String... fields) {
    Http2Headers headers = new DefaultHttp2Headers(false);
    for (int i = 0; i < fields.length; i += 2) {
      headers.add(fields[i], fields[i + 1]);
    }
    ByteBuf out = Unpooled.buffer();
    try {
      encoder.encodeHeaders(1, headers, out);
    } catch (Http2Exception e) {
      throw new IllegalStateException(e);
    }
    return ByteBufUtil.getBytes(out);
  }

  /** The block of a usual request, with other fields. */
  byte[] request(String method, String path, String... others) {
    List<String> fields =
        new ArrayList<>(List.of(":method", method, ":scheme", "http", ":authority", "a", ":path", path));
    fields.addAll(List.of(others));
    return block(fields.toArray(String[]::new));
  }

  Http2Peer get(int stream, String path) throws IOException {
    return send(HEADERS, END_HEADERS | END_STREAM, stream, request("GET", path));
  }

  Http2Peer post(int stream, String path, String body, String... others) throws IOException {
    send(HEADERS, END_HEADERS, stream, request("POST", path, others));
    return send(DATA, END_STREAM, stream, body.getBytes(StandardCharsets.ISO_8859_1));
  }

  Response response(int stream) {
    return responses.computeIfAbsent(stream, absent -> new Response());
  }

  /** Reads until a response is complete, or reset. */
  Response await(int stream) throws IOException {
    Response response = response(stream);
    while (!response.complete && response.reset < 0) {
      if (!read()) {
        throw new EOFException("the connection has ended: " + goAways);
      }
    }
    return response;
  }

  /** Reads until the connection ends, and says why the server has ended it. */
  GoAway end() throws IOException {
    try {
      while (read()) {
        // All that the server sends.
      }
    } catch (SocketException e) {
      // Reset: it has not read everything.
    }
    return goAways.isEmpty() ? new GoAway(-1, -1) : goAways.getLast();
  }

  /** Reads a frame; false if there is none any more. */
  boolean read() throws IOException {
    int first = in.read();
    if (first < 0) {
      return false;
    }
    int length = first << 16 | in.readUnsignedShort();
    int type = in.readUnsignedByte();
    int flags = in.readUnsignedByte();
    int stream = in.readInt();
    byte[] payload = in.readNBytes(length);
    switch (type) {
      case DATA -> data(response(stream), stream, payload, flags);
      case HEADERS -> head(response(stream), payload, flags);
      case RESET -> response(stream).reset = ByteBuffer.wrap(payload).getInt();
      case SETTINGS, PING -> {
        if ((flags & ACK) == 0 && acknowledges) {
          send(type, ACK, 0, type == PING ? payload : new byte[0]);
        }
      }
      case GOAWAY -> {
        ByteBuffer content = ByteBuffer.wrap(payload);
        goAways.add(new GoAway(content.getInt(), content.getInt()));
      }
      case WINDOW_UPDATE ->
        windows.put(stream, windows.getOrDefault(stream, 65_535) + ByteBuffer.wrap(payload).getInt());
      default -> {
        // No other frames matter to a client.
      }
    }
    return true;
  }

  /** Reads until bytes may be sent in a stream, which it takes for sent. */
  void awaitWindow(int stream, int bytes) throws IOException {
    for (int each : List.of(0, stream)) {
      while (windows.getOrDefault(each, 65_535) < bytes) {
        if (!read()) {
          throw new EOFException("the connection has ended: " + goAways);
        }
      }
    }
    for (int each : List.of(0, stream)) {
      windows.put(each, windows.getOrDefault(each, 65_535) - bytes);
    }
  }

  private void head(Response response, byte[] block, int flags) throws IOException {
    try {
      Http2Headers headers = decoder.decodeHeaders(1, Unpooled.wrappedBuffer(block));
      int status = Integer.parseInt(headers.status().toString());
      if (status < 200) {
        response.interim.add(status);
      } else {
        response.status = status;
        headers.forEach(field -> response.fields.put(field.getKey().toString(), field.getValue().toString()));
      }
      response.complete = (flags & END_STREAM) != 0;
    } catch (Http2Exception e) {
      throw new IOException(e);
    }
  }

  private void data(Response response, int stream, byte[] payload, int flags) throws IOException {
    response.content.writeBytes(payload);
    response.complete = (flags & END_STREAM) != 0;
    if (payload.length > 0 && reads) {
      send(WINDOW_UPDATE, 0, 0, number(payload.length));
      if (!response.complete) {
        send(WINDOW_UPDATE, 0, stream, number(payload.length));
      }
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
