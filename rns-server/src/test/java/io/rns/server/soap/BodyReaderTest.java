package io.rns.server.soap;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies are bounded in size, in number and in time, however they are announced. */
class BodyReaderTest {
  private final BodyReader reader = reader(Duration.ofSeconds(60));

  private static BodyReader reader(Duration timeout) {
    return new BodyReader(new SoapSettings(Optional.empty(), timeout, 1, InstantSource.system()));
  }

  /** A body that comes in pieces and then ends, or breaks. */
  private static class Body extends ServletInputStream {
    private final int piece;
    private final boolean breaks;
    private long left;

    Body(long length, int piece, boolean breaks) {
      this.left = length;
      this.piece = piece;
      this.breaks = breaks;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      if (left == 0 && breaks) {
        throw new IOException("connection reset");
      }
      int count = (int) Math.min(Math.min(length, piece), left);
      left -= count;
      return count == 0 ? -1 : count;
    }

    @Override
    public int read() {
      throw new IllegalStateException("bytes are not read one by one");
    }

    @Override
    public boolean isFinished() {
      return left == 0;
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setReadListener(ReadListener listener) {
      throw new IllegalStateException("nobody listens here");
    }
  }

  private static HttpServletRequest request(long announced, ServletInputStream body) {
    return (HttpServletRequest) Proxy.newProxyInstance(
        BodyReaderTest.class.getClassLoader(),
        new Class<?>[]{HttpServletRequest.class},
        (proxy, method, arguments) -> switch (method.getName()) {
          case "getContentLengthLong" -> announced;
          case "getInputStream" -> body;
          default -> throw new IllegalStateException(method.getName());
        });
  }

  private void readsWhole(long announced, int length) {
    SoapScratch scratch = new SoapScratch();
    boolean large = reader.read(request(announced, new Body(length, 1 << 20, false)), scratch, false, false);
    assertThat(scratch.length).isEqualTo(length);
    if (large) {
      reader.release(scratch);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 8_191, 8_192, 8_193, SoapFilter.LARGE_BYTES})
  void readsWhatFits(int length) {
    readsWhole(length, length);
    readsWhole(-1, length);
  }

  @ParameterizedTest
  @ValueSource(ints = {Limits.REQUEST_BYTES - 1, Limits.REQUEST_BYTES})
  void readsUpToTheLimit(int length) {
    for (long announced : new long[]{length, -1}) {
      SoapScratch scratch = new SoapScratch();
      assertThat(reader.read(request(announced, new Body(length, 1 << 22, false)), scratch, false, false)).isTrue();
      assertThat(scratch.length).isEqualTo(length);
      reader.release(scratch);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, Limits.REQUEST_BYTES + 1L, Long.MAX_VALUE})
  void refusesWhatIsLonger(long announced) {
    assertThatThrownBy(
        () -> reader.read(request(announced, new Body(Limits.REQUEST_BYTES + 1L, 1 << 22, false)), new SoapScratch(),
            false,
            false))
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.LIMIT_EXCEEDED))
        .hasMessageContaining("the limit is " + Limits.REQUEST_BYTES);
  }

  @Test
  void refusesWhatEndsEarly() {
    assertThatThrownBy(() -> reader.read(request(100, new Body(99, 99, false)), new SoapScratch(), false, false))
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.MALFORMED_MESSAGE))
        .hasMessageContaining("after 99 bytes");
    assertThatThrownBy(() -> reader.read(request(100, new Body(50, 50, true)), new SoapScratch(), false, false))
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.MALFORMED_MESSAGE));
  }

  @Test
  void refusesWhatComesTooSlowly() {
    // A piece of one byte and a limit of a microsecond: no machine is that fast.
    BodyReader hurried = reader(Duration.ofNanos(1_000));
    for (long announced : new long[]{SoapFilter.LARGE_BYTES, -1}) {
      assertThatThrownBy(
          () -> hurried.read(request(announced, new Body(SoapFilter.LARGE_BYTES, 1, false)), new SoapScratch(), false,
              false))
          .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.TIMEOUT));
    }
  }

  @Test
  void largeOnesWaitForEachOther() {
    int large = SoapFilter.LARGE_BYTES + 1;
    BodyReader impatient = reader(Duration.ofSeconds(1));
    SoapScratch first = new SoapScratch();
    assertThat(impatient.read(request(large, new Body(large, large, false)), first, false, false)).isTrue();
    for (long announced : new long[]{large, -1}) {
      assertThatThrownBy(
          () -> impatient.read(request(announced, new Body(large, large, false)), new SoapScratch(), false, false))
          .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.BUSY));
    }
    impatient.release(first);
    SoapScratch again = new SoapScratch();
    assertThat(impatient.read(request(large, new Body(large, large, false)), again, false, false)).isTrue();
    assertThat(again.length).isEqualTo(large);
  }

  private static byte[] zipped(byte[] plain) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream zip = new GZIPOutputStream(out)) {
      zip.write(plain);
    }
    return out.toByteArray();
  }

  private static HttpServletRequest request(byte[] bytes) {
    ByteArrayInputStream in = new ByteArrayInputStream(bytes);
    Body body =
        new Body(bytes.length, bytes.length, false) {
          @Override
          public int read(byte[] target, int offset, int length) {
            return in.read(target, offset, length);
          }

          @Override
          public int read() {
            return in.read();
          }
        };
    return request(bytes.length, body);
  }

  @Test
  void readsWhatIsZipped() throws IOException {
    byte[] plain = "<a>".repeat(10_000).getBytes(UTF_8);
    SoapScratch scratch = new SoapScratch();
    assertThat(reader.read(request(zipped(plain)), scratch, true, false)).isFalse();
    assertThat(Arrays.copyOf(scratch.body, scratch.length)).isEqualTo(plain);
    byte[] largest = new byte[Limits.REQUEST_BYTES];
    SoapScratch large = new SoapScratch();
    assertThat(reader.read(request(zipped(largest)), large, true, false)).isTrue();
    assertThat(large.length).isEqualTo(largest.length);
    reader.release(large);
  }

  @Test
  void refusesBombs() throws IOException {
    byte[] bomb = zipped(new byte[Limits.REQUEST_BYTES + 1]);
    assertThat(bomb.length).isLessThan(20_000);
    for (int i = 0; i < 3; i++) {
      // Each time the place of a large one is given back.
      assertThatThrownBy(() -> reader.read(request(bomb), new SoapScratch(), true, false))
          .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.LIMIT_EXCEEDED))
          .hasMessageContaining("the limit is " + Limits.REQUEST_BYTES);
    }
  }

  @Test
  void refusesWhatIsNotZippedToItsEnd() throws IOException {
    byte[] whole = zipped("<a/>".getBytes(UTF_8));
    for (byte[] bad : List.of("<a/>".getBytes(UTF_8), Arrays.copyOf(whole, whole.length - 1), new byte[0])) {
      assertThatThrownBy(() -> reader.read(request(bad), new SoapScratch(), true, false))
          .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.MALFORMED_MESSAGE));
    }
  }
}
