package io.rns.server.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.rns.audit.AuditLine;
import io.rns.error.RnsError;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RefusalSharesTest {
  private static final long INTERVAL = RefusalShares.INTERVAL.toNanos();

  private final RefusalShares shares = new RefusalShares(0);

  private static AuditEvent event(String path) {
    return new AuditEvent(
        0, "", "none", "", "10.0.0.1", "", "soap", "add", "", List.of(new AuditItem(path, "", null)), 1, 1, "",
        "refused", RnsError.NOT_AUTHENTICATED, List.of(), "").brief();
  }

  /** Offers so many, and returns how many were taken. */
  private int offer(String origin, int count) {
    int taken = 0;
    for (int i = 0; i < count; i++) {
      taken += shares.take(origin, event("/e")) ? 1 : 0;
    }
    return taken;
  }

  private static String text(AuditContent content) throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator out = new JsonFactory().createGenerator(text)) {
      out.writeStartObject();
      content.write(out);
      out.writeEndObject();
    }
    return text.toString();
  }

  @Test
  void anOriginHasAShareInEachInterval() throws IOException {
    int most = (int) (RefusalShares.ORIGIN_BYTES / event("/e").bytes());
    assertThat(most).isGreaterThan(20);
    assertThat(offer("a", most + 7)).isEqualTo(most);
    assertThat(offer("b", 10)).isEqualTo(10);
    assertThat(shares.next(INTERVAL - 1, false)).isEmpty();
    AuditContent line = shares.next(INTERVAL, false).orElseThrow();
    assertThat(line.event()).isEqualTo(AuditLine.UNLISTED);
    assertThat(text(line)).isEqualTo(
        "{\"since\":\"1970-01-01T00:00:00Z\",\"count\":7,\"clients\":[{\"client\":\"a\",\"count\":7}]}");
    assertThat(offer("a", 1)).isEqualTo(1);
    assertThat(shares.next(INTERVAL + 1, true)).isEmpty();
    assertThat(shares.unlisted()).isEqualTo(7);
  }

  @Test
  void allOriginsTogetherHaveAShareAndOnlySomeAreRemembered() throws IOException {
    int taken = 0;
    for (int i = 0; i < 3 * RefusalShares.ORIGINS; i++) {
      taken += offer("origin" + i, 2);
    }
    assertThat(taken * event("/e").bytes()).isLessThanOrEqualTo(RefusalShares.ALL_BYTES);
    String line = text(shares.next(0, true).orElseThrow());
    assertThat(line).contains("\"count\":" + (6 * RefusalShares.ORIGINS - taken)).hasSizeLessThan(1_000);
    assertThat(shares.next(0, true)).isEqualTo(Optional.empty());
  }

  /** A share is of bytes in the file, where other characters than those of ASCII take six each. */
  @Test
  void theBytesOfAnEventAreThoseOfItsLineAtMost() throws IOException {
    for (String path : List.of("/e", "/" + "\u00e4".repeat(10_000), "/\"\\\u007f\u0000", "/" + "x".repeat(500))) {
      StringBuilder ascii = new StringBuilder();
      text(event(path)).chars().forEach(c -> ascii.append(c < 128 ? "x" : "\\u00e4"));
      assertThat(event(path).bytes()).isGreaterThan(ascii.length() + 300).isLessThan(3_000);
    }
  }
}
