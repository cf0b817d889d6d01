package io.rns.loadtest.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpReaderTest {
  private static final String LENGTH = "HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\ncontent-LENGTH: 5\r\n\r\nhello";
  private static final String CHUNKED =
      "HTTP/1.1 500 No\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2;x=y\r\nlo\r\n0\r\nTrailer: z\r\n\r\n";

  /** Gives the bytes of a text in pieces of some size, and then the end of the stream. */
  private static InputStream pieces(String text, int size) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)) {
      @Override
      public synchronized int read(byte[] into, int offset, int length) {
        return super.read(into, offset, Math.min(size, length));
      }
    };
  }

  private record Parsed(HttpAnswer answer, boolean keepAlive) {}

  private static Parsed parsed(String text, int size) throws IOException {
    return parsed(new HttpReader(), text, size);
  }

  private static Parsed parsed(HttpReader reader, String text, int size) throws IOException {
    reader.begin(pieces(text, size));
    assertThat(reader.isEmpty()).isTrue();
    return new Parsed(reader.read(), reader.keepAlive());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 1_000})
  void findsTheEndOfAnAnswerWithItsLength(int piece) throws IOException {
    Parsed parser = parsed(LENGTH, piece);
    assertThat(parser.answer().status()).isEqualTo(200);
    assertThat(parser.answer().body()).isEqualTo("hello");
    assertThat(parser.keepAlive()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 1_000})
  void putsChunksTogether(int piece) throws IOException {
    Parsed parser = parsed(CHUNKED, piece);
    assertThat(parser.answer().status()).isEqualTo(500);
    assertThat(parser.answer().body()).isEqualTo("hello");
    assertThat(parser.keepAlive()).isTrue();
  }

  @Test
  void isReadyForTheNextAnswer() throws IOException {
    HttpReader reader = new HttpReader();
    assertThat(parsed(reader, CHUNKED, 1_000).answer().status()).isEqualTo(500);
    assertThat(reader.isEmpty()).isFalse();
    Parsed next = parsed(reader, LENGTH, 1_000);
    assertThat(next.answer().status()).isEqualTo(200);
    assertThat(next.answer().length()).isEqualTo(5);
  }

  @Test
  void readsToTheEndOfTheConnectionWithoutLength() throws IOException {
    Parsed parser = parsed("HTTP/1.1 200 OK\r\n\r\nuntil the end", 4);
    assertThat(parser.answer().body()).isEqualTo("until the end");
    assertThat(parser.keepAlive()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 1_000})
  void readsAStreamUntilItsFirstEvent(int piece) throws IOException {
    String head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream;charset=UTF-8\r\n";
    for (String begin : List.of(head + "\r\n", head + "Transfer-Encoding: chunked\r\n\r\n1a\r\n")) {
      Parsed parser = parsed(begin + ": hello\n\nevent: started\ndata: x\n", piece);
      assertThat(parser.answer().status()).isEqualTo(200);
      assertThat(parser.answer().body()).endsWith(": hello\n\n");
      assertThat(parser.keepAlive()).isFalse();
      assertThatThrownBy(() -> parsed(begin + ": hello\n\n", piece)).isInstanceOf(EOFException.class);
    }
  }

  @Test
  void growsWithTheAnswer() throws IOException {
    String body = "0123456789".repeat(30_000);
    Parsed parser = parsed("HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body, 5_000);
    assertThat(parser.answer().body()).isEqualTo(body);
  }

  @Test
  void passesOverAnInterimAnswer() throws IOException {
    assertThat(parsed("HTTP/1.1 100 Continue\r\n\r\n" + LENGTH, 3).answer().status()).isEqualTo(200);
  }

  @Test
  void knowsAnswersWithoutBody() throws IOException {
    Parsed parser = parsed("HTTP/1.1 204 No Content\r\nServer: x\r\n\r\n", 5);
    assertThat(parser.answer().length()).isZero();
    assertThat(parser.keepAlive()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {
      "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
      "HTTP/1.1 200 OK\r\nCONNECTION:Close\r\nContent-Length: 0\r\n\r\n",
      "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n"
  })
  void knowsWhenTheConnectionCannotBeKept(String answer) throws IOException {
    assertThat(parsed(answer, 1_000).keepAlive()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {
      "SSH-2.0-OpenSSH_9.2 Debian\r\n\r\n",
      "HTTP/1.1 2x0 OK\r\n\r\n",
      "HTTP/1.1\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nabc",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\n"
  })
  void refusesWhatIsNoAnswer(String answer) {
    assertThatThrownBy(() -> parsed(answer, 1_000)).isInstanceOf(ProtocolException.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3, 30, 60, 64})
  void saysHowMuchCameBeforeTheConnectionEnded(int bytes) {
    String cut = LENGTH.substring(0, Math.min(bytes, LENGTH.length() - 1));
    assertThatThrownBy(() -> parsed(cut, 1_000))
        .isInstanceOf(EOFException.class)
        .hasMessageContaining("after " + cut.length() + " bytes");
  }
}
