package io.rns.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ArrivingBodyTest {
  private static final byte[] BODY = "all of it".getBytes(StandardCharsets.UTF_8);

  /** All data is there, but nobody is ever told that there is no more. */
  private static final class Forgetful extends ServletInputStream {
    private final ByteArrayInputStream content = new ByteArrayInputStream(BODY);

    @Override
    public boolean isFinished() {
      return false;
    }

    @Override
    public boolean isReady() {
      return content.available() > 0;
    }

    @Override
    public void setReadListener(ReadListener listener) {}

    @Override
    public int read() {
      return content.read();
    }

    @Override
    public int read(byte[] target, int offset, int length) {
      return content.read(target, offset, length);
    }
  }

  private static HttpServletRequest request() {
    return (HttpServletRequest) Proxy.newProxyInstance(
        ArrivingBodyTest.class.getClassLoader(), new Class<?>[]{HttpServletRequest.class},
        (proxy, method, arguments) -> switch (method.getName()) {
          case "getInputStream" -> new Forgetful();
          case "getContentLengthLong" -> (long) BODY.length;
          default -> null;
        });
  }

  /** Such a request was once refused as too slow after 5 s, though it was there. */
  @Test
  void aBodyThatIsThereIsNotAwaited() throws IOException {
    ArrivingBody body = new ArrivingBody(request(), Duration.ofMinutes(1));
    assertThat(body.readAllBytes()).isEqualTo(BODY);
  }
}
