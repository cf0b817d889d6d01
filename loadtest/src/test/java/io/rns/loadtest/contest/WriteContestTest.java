package io.rns.loadtest.contest;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.client.RnsClient;
import io.rns.client.RnsConnection;
import io.rns.client.TestServer;
import io.rns.loadtest.measure.Observer;
import io.rns.loadtest.measure.Row;
import io.rns.loadtest.measure.Schedule;
import io.rns.loadtest.peer.PeerService;
import io.rns.loadtest.service.HttpTarget;
import io.rns.loadtest.service.LoadTransport;
import io.rns.loadtest.service.RnsPeer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.assertj.core.data.Offset;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Another server is all of its yardsticks; a script pretends to start the one without a cache, and to walk. */
@Timeout(120)
@Tag("server")
class WriteContestTest {
  @TempDir private Path temporary;

  private static HttpTarget target(TestServer server) {
    return HttpTarget.of(RnsClient.soapEndpoint(server.address()).toString());
  }

  @Test
  void everyWorkStandsBesideItsYardstick() throws Exception {
    try (TestServer server = TestServer.start();
        TestServer other = TestServer.start();
        RnsConnection names = RnsClient.builder().server(server.address()).build();
        RnsConnection otherNames = RnsClient.builder().server(other.address()).build();
        PeerService yardstick = new RnsPeer(target(other), otherNames, LoadTransport.RAW)) {
      Path calls = temporary.resolve("calls");
      Path launcher = temporary.resolve("rns");
      Files.writeString(launcher, """
          #!/bin/sh
          case $1 in
          up) echo '{"url":"%s"}';;
          import) wc -l < "$2" >> '%s';;
          *) echo "$@" >> '%2$s';;
          esac
          """.formatted(other.address(), calls));
      assertThat(launcher.toFile().setExecutable(true)).isTrue();
      Schedule turn = new Schedule(Duration.ZERO, Duration.ofMillis(200));
      Contest contest = new Contest(1, Duration.ZERO, turn);
      Contest.Report report =
          new WriteContest(launcher, server.address(), List.of(1, 2), contest, Observer.NONE)
              .run(names, target(server), yardstick, yardstick, text -> {});
      assertThat(report.rows()).extracting(Row::what).containsExactly(
          "insert: 1 client", "insert: 2 clients", "their list of 100: 2 clients", "their list of 1000: 2 clients",
          "select: 2 clients", "add: 1 client", "add: 2 clients", "add in batches of 100: 2 clients",
          "update: 2 clients", "move: 2 clients", "remove: 2 clients", "list of 100: 2 clients",
          "list of 1000: 2 clients", "cold query: 2 clients", "import", "export", "find");
      assertThat(report.rows().subList(0, 14)).allSatisfy(row -> {
        assertThat(row.figure("perSecond")).as(row.what()).isPositive();
        assertThat(row.figure("errors")).as(row.what()).isZero();
      });
      assertThat(report.rows().subList(5, 14)).allSatisfy(row -> assertThat(row.figure("ratio")).isPositive());
      Row batches = report.rows().get(7);
      assertThat(batches.figure("ratio"))
          .isCloseTo(100 * batches.figure("perSecond") / report.rows().get(1).figure("perSecond"),
              Percentage.withPercentage(0.1));
      assertThat(report.rows().get(14).figure("perSecond"))
          .isCloseTo(66_494 / report.rows().get(14).figure("seconds"), Offset.offset(1.0));
      assertThat(Files.readAllLines(calls)).satisfiesExactly(
          lines -> assertThat(lines.strip()).isEqualTo("66494"),
          export -> assertThat(export).startsWith("export /rns-load-"),
          find -> assertThat(find).startsWith("find /rns-load-").contains("--name *7"),
          down -> assertThat(down).startsWith("down "));
    }
  }
}
