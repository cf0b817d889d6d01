package io.rns.guard;

import org.glassfish.grizzly.Buffer;
import org.glassfish.grizzly.filterchain.FilterChainContext;
import org.glassfish.grizzly.http.HttpBrokenContentException;
import org.glassfish.grizzly.http.HttpCodecFilter.ContentParsingState;
import org.glassfish.grizzly.http.HttpCodecFilter.HeaderParsingState;
import org.glassfish.grizzly.http.HttpContent;
import org.glassfish.grizzly.http.HttpHeader;
import org.glassfish.grizzly.http.HttpPacketParsing;
import org.glassfish.grizzly.http.ParsingResult;
import org.glassfish.grizzly.http.TransferEncoding;

/**
 * Reads chunked bodies strictly as in RFC 9112, section 7.1: every line ends in CR LF, and nothing stands between chunk
 * data and its line end. Extensions and trailers are skipped. Writes as Grizzly does.
 */
final class StrictChunks implements TransferEncoding {
  /** Maximum length in bytes of a chunk-size line with its extensions, and of all trailers together. */
  private static final int MOST_BYTES = 8192;

  private static final int MOST_DIGITS = 15;

  // The parser state, kept in chunkContentStart, which is initially -1.
  private static final int SIZE = -1;
  private static final int EXTENSION = 1;
  private static final int SIZE_LF = 2;
  private static final int DATA = 3;
  private static final int DATA_CR = 4;
  private static final int DATA_LF = 5;
  private static final int TRAILER_START = 6;
  private static final int TRAILER = 9;
  private static final int TRAILER_LF = 7;
  private static final int END_LF = 8;

  private final TransferEncoding writing;

  StrictChunks(TransferEncoding writing) {
    this.writing = writing;
  }

  @Override
  public boolean wantDecode(HttpHeader header) {
    return header.isChunked();
  }

  @Override
  public ParsingResult parsePacket(FilterChainContext ctx, HttpHeader header, Buffer buffer) {
    HttpPacketParsing packet = (HttpPacketParsing) header;
    ContentParsingState body = packet.getContentParsingState();
    HeaderParsingState line = packet.getHeaderParsingState();
    if (body.chunkLength < 0) {
      begin(body, line);
    }
    while (buffer.hasRemaining()) {
      if (body.chunkContentStart == DATA) {
        return data(header, body, buffer);
      }
      body.chunkContentStart = next(buffer.get(), body, line);
      if (body.isLastChunk) {
        Buffer rest = buffer.hasRemaining() ? buffer.split(buffer.position()) : null;
        return ParsingResult.create(header.httpTrailerBuilder().build(), rest);
      }
    }
    buffer.tryDispose();
    return ParsingResult.create(null, null, false);
  }

  private static ParsingResult data(HttpHeader header, ContentParsingState body, Buffer buffer) {
    Buffer rest = null;
    if (buffer.remaining() > body.chunkRemainder) {
      rest = buffer.split(buffer.position() + (int) body.chunkRemainder);
    }
    body.chunkRemainder -= buffer.remaining();
    if (body.chunkRemainder == 0) {
      body.chunkContentStart = DATA_CR;
    }
    return ParsingResult.create(header.httpContentBuilder().content(buffer).build(), rest);
  }

  private static void begin(ContentParsingState body, HeaderParsingState line) {
    body.chunkLength = 0;
    line.start = 0;
    line.offset = 0;
  }

  /** The state after this byte. */
  private static int next(byte octet, ContentParsingState body, HeaderParsingState line) {
    if (++line.offset > MOST_BYTES) {
      throw broken("a line longer than " + MOST_BYTES + " bytes");
    }
    return switch (body.chunkContentStart) {
      case SIZE -> size(octet, body, line);
      case EXTENSION -> octet == '\r' ? SIZE_LF : text(octet, EXTENSION);
      case SIZE_LF -> {
        require(octet, '\n');
        body.chunkRemainder = body.chunkLength;
        line.offset = 0;
        yield body.chunkLength == 0 ? TRAILER_START : DATA;
      }
      case DATA_CR -> require(octet, '\r', DATA_LF);
      case DATA_LF -> {
        require(octet, '\n');
        begin(body, line);
        yield SIZE;
      }
      case TRAILER_START -> octet == '\r' ? END_LF : text(octet, TRAILER);
      case TRAILER -> octet == '\r' ? TRAILER_LF : text(octet, TRAILER);
      case TRAILER_LF -> require(octet, '\n', TRAILER_START);
      default -> {
        body.isLastChunk = true;
        yield require(octet, '\n', END_LF);
      }
    };
  }

  private static int size(byte octet, ContentParsingState body, HeaderParsingState line) {
    int digit = Character.digit(octet, 16);
    if (digit >= 0 && line.start < MOST_DIGITS) {
      line.start++;
      body.chunkLength = (body.chunkLength << 4) + digit;
      return SIZE;
    }
    if (line.start > 0 && octet == '\r') {
      return SIZE_LF;
    }
    if (line.start > 0 && (octet == ';' || octet == ' ' || octet == '\t')) {
      return EXTENSION;
    }
    throw broken("no size");
  }

  private static int text(byte octet, int state) {
    if (octet == '\n' || octet == 0) {
      throw broken("a line that does not end in CR LF");
    }
    return state;
  }

  private static int require(byte octet, char expected, int state) {
    if (octet != expected) {
      throw broken("a line that does not end in CR LF");
    }
    return state;
  }

  private static void require(byte octet, char expected) {
    require(octet, expected, DATA);
  }

  private static HttpBrokenContentException broken(String what) {
    return new HttpBrokenContentException("a chunk has " + what);
  }

  @Override
  public boolean wantEncode(HttpHeader header) {
    return writing.wantEncode(header);
  }

  @Override
  public void prepareSerialize(FilterChainContext ctx, HttpHeader header, HttpContent content) {
    writing.prepareSerialize(ctx, header, content);
  }

  @Override
  public Buffer serializePacket(FilterChainContext ctx, HttpContent content) {
    return writing.serializePacket(ctx, content);
  }
}
