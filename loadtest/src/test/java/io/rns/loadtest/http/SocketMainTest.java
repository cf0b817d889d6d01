package io.rns.loadtest.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SocketMainTest {
  /** Gives only so many bytes at a time. */
  private static InputStream inParts(String text, int most) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1)) {
      @Override
      public synchronized int read(byte[] into, int at, int length) {
        return super.read(into, at, Math.min(length, most));
      }
    };
  }

  private static String request(int length) {
    return "POST / HTTP/1.1\r\nContent-Length: " + length + "\r\nHost: here\r\n\r\n" + "x".repeat(length);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 100_000, 1_000_000})
  void everyRequestHasOneAnswerHoweverItComes(int part) throws IOException {
    String requests = request(600) + "GET / HTTP/1.1\r\n\r\n" + request(0) + request(200_000) + request(3);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    SocketMain.answerAll(inParts(requests + "POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nxxxx", part), out);
    String answers = out.toString(StandardCharsets.ISO_8859_1);
    assertThat(answers.split("HTTP/1.1 200 OK", -1)).as("the last request has no end").hasSize(1 + 5);
    String body = answers.substring(answers.lastIndexOf("\r\n\r\n") + 4);
    assertThat(answers).contains("Content-Length: " + body.length() + "\r\n");
    assertThat(body).contains("Response");
  }
}
