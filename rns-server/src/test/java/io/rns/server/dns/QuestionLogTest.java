package io.rns.server.dns;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.server.access.LineLogSettings;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.Type;

/** Lines of questions. */
class QuestionLogTest {
  private static final InstantSource CLOCK = InstantSource.fixed(Instant.ofEpochSecond(1, 2_345_678));

  @TempDir private Path directory;

  /** The clients of questions from some addresses, in a log with a secret. */
  private List<String> clients(String secret, String... addresses) throws Exception {
    Path file = directory.resolve(secret + addresses.length);
    try (QuestionLog log = QuestionLog.start(new LineLogSettings(file, 1 << 20, 1), secret, CLOCK)) {
      Record question = Record.newRecord(Name.fromString("p.example.org."), Type.A, DClass.IN);
      for (String address : addresses) {
        log.log(InetAddress.getByName(address), question);
      }
    }
    List<String> lines = Files.readAllLines(file);
    assertThat(lines.subList(1, lines.size()))
        .hasSameSizeAs(addresses)
        .allSatisfy(line -> assertThat(line).startsWith("1002.346\t").endsWith("\tA\tp.example.org."));
    return lines.stream().skip(1).map(line -> line.split("\t", -1)[1]).toList();
  }

  @Test
  void clientsAreHashesWithTheSecret() throws Exception {
    List<String> clients =
        clients("s", "192.0.2.1", "192.0.2.2", "192.0.2.1", "2001:db8::1", "2001:db8::2", "2001:db8:0:1::1");
    assertThat(clients.get(2)).isEqualTo(clients.get(0));
    assertThat(clients.get(4)).as("of one network").isEqualTo(clients.get(3));
    assertThat(clients).hasSize(6);
    assertThat(clients.stream().distinct()).hasSize(4);
    assertThat(clients("s", "192.0.2.1")).as("at another server").containsExactly(clients.get(0));
    assertThat(clients("t", "192.0.2.1")).doesNotContain(clients.get(0));
  }
}
