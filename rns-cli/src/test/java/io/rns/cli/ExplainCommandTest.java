package io.rns.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.Explanation;
import io.rns.api.Hop;
import io.rns.api.Position;
import io.rns.api.RnsPath;
import io.rns.api.HopStep;
import io.rns.referral.Announcement;
import io.rns.referral.Referral;
import io.rns.referral.ServerRole;
import io.rns.referral.Site;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The command against a server that says that it asked another one. */
class ExplainCommandTest {
  private final CommandLineFixture rns = new CommandLineFixture();

  @BeforeEach
  void explains() {
    rns.done("mkdir", "-p", "/a/b");
    Position at = new Position(0, 1, 7);
    Hop first = hop(1, Optional.empty(), "server-1", 0, at, new Position(0, 1, 8), new HopStep.Waited(at, 1_500, true),
        new HopStep.Copy(0), new HopStep.Cut(1, 1, false), new HopStep.Primary(HopStep.Reason.CONSISTENCY));
    Hop.Asked second = new Hop.Asked("http://two/rns", "the only server named", 2_000, Optional.empty());
    Position there = new Position(1, 1, 3);
    rns.server().explains(
        List.of(first,
            hop(2, Optional.of(second), "server-2", 1, there, there, new HopStep.Copy(1), new HopStep.Cut(1, 1, true)),
            new Hop(2, Optional.of(new Hop.Asked("http://three/rns", "w", 9, Optional.of("no route"))),
                Optional.empty())));
  }

  @AfterEach
  void stop() {
    rns.close();
  }

  private static Hop hop(
      int level, Optional<Hop.Asked> asked, String name, int group, Position before, Position after, HopStep... steps) {
    Hop.Self self = new Hop.Self(name, group, "primary", Optional.of(before));
    return new Hop(level, asked, Optional.of(new Hop.Answered(self, Optional.of(after), 400, List.of(steps))));
  }

  private List<String> lines(String command) {
    return rns.run(command.split(" ")).lines().stream().map(line -> line.replaceAll("[0-9.]+ ms", "T")).toList();
  }

  @Test
  void showsEachServerBelowTheOneThatAskedIt() {
    assertThat(lines("explain --after 0-1-7 /a/b").subList(1, 17)).containsExactly(
        "session consistency, seen 0-1-7, T",
        "",
        "server-1  group 0, primary, at 0-1-7, then at 0-1-8  T, T in the server",
        "  " + rns.server().address() + ": the only server named",
        "  waited T for position 0-1-7",
        "  read its copy: all in the cache",
        "  cut at /a: its content belongs to group 1, by its entry",
        "  passed on to the primary: the read requires it",
        "",
        "  server-2  group 1, primary, at 1-1-3  T, T in the server",
        "    http://two/rns",
        "    read its copy: 1 statement to the database",
        "    cut at /a: its content belongs to this group, by the map",
        "",
        "  (does not explain)  T",
        "    http://three/rns");
  }

  @Test
  @SuppressWarnings("unchecked")
  void showsTheFrontThatPassedTheRequestOn() {
    Position at = new Position(0, 1, 7);
    Hop.Answered front =
        new Hop.Answered(
            new Hop.Self("front-1", 0, Hop.FRONT, Optional.empty()), Optional.empty(), 200,
            List.of(
                new HopStep.Cache(HopStep.Finding.ABSENT),
                new HopStep.Passed("http://one/rns", "best of 2 servers: primary, required for this call")));
    rns.server().explains(Explanation.through(front, List.of(hop(1, Optional.empty(), "server-1", 0, at, at))));
    List<String> lines = lines("explain /a/b");
    assertThat(lines.subList(3, lines.size())).containsExactly(
        "front-1  front  T, T until it passed the request on",
        "  " + rns.server().address() + ": the only server named",
        "  its cache has no answer to this lookup",
        "  passed on to http://one/rns: best of 2 servers: primary, required for this call",
        "",
        "  server-1  group 0, primary, at 0-1-7, T in the server");
    Map<String, Object> document = rns.done("explain", "--json", "/a/b").json();
    Map<String, Object> hop = ((List<Map<String, Object>>) document.getOrDefault("hops", List.of())).get(0);
    assertThat(hop).containsEntry("level", "1").containsEntry("server", "front-1").containsEntry("role", "front");
    assertThat((List<Object>) hop.getOrDefault("steps", List.of())).containsExactly(
        Map.of("step", "cache", "finding", "absent"),
        Map.of("step", "passed", "url", "http://one/rns", "reason",
            "best of 2 servers: primary, required for this call"));
  }

  @Test
  void showsTheWayOfALookupThatIsRefused() {
    CommandLineFixture.Result result = rns.run("explain", "/a/none");
    assertThat(result.code()).isEqualTo(ExitCode.REFUSED);
    assertThat(result.err()).contains("/a/none");
    assertThat(result.lines()).first().isEqualTo("/a/none  NO_SUCH_ENTRY");
    assertThat(result.out()).contains("server-2");
    assertThat(rns.run("explain", "--json", "/a/none").json()).containsKeys("hops", "error").doesNotContainKey("entry");
  }

  @Test
  void showsServersThatDoNotAnswer() {
    String nobody = "http://127.0.0.1:1/rns";
    CommandLineFixture.Result result = rns.run("explain", "--server", nobody, "/a");
    assertThat(result.code()).isEqualTo(ExitCode.UNREACHABLE);
    assertThat(result.out()).contains(nobody + ": the only server named", "failed: ");
    List<String> both = rns.lines("explain --server " + nobody + "," + rns.server().address() + " /a");
    assertThat(both).contains("  " + nobody + ": the first of 2 servers named").anyMatch(
        line -> line.endsWith(": server 2 of 2 named, in use since another one failed"));
  }

  @Test
  @SuppressWarnings("unchecked")
  void printsTheSameAsJson() {
    Map<String, Object> document = rns.done("explain", "--json", "/a/b").json();
    assertThat(document).containsEntry("path", "/a/b").containsEntry("consistency", "session").containsKey("micros")
        .containsKey("position");
    assertThat((Map<String, Object>) document.get("entry")).containsEntry("kind", "directory");
    List<Map<String, Object>> hops = (List<Map<String, Object>>) document.getOrDefault("hops", List.of());
    assertThat(hops).hasSize(3);
    assertThat(hops.get(1)).containsEntry("level", "2").containsEntry("url", "http://two/rns")
        .containsEntry("roundTripMicros", "2000").containsEntry("failure", null).containsEntry("server", "server-2")
        .containsEntry("group", "1").containsEntry("role", "primary").containsEntry("arrivedAt", "1-1-3")
        .containsEntry("position", "1-1-3").containsEntry("micros", "400");
    assertThat((List<Object>) hops.get(1).getOrDefault("steps", List.of())).containsExactly(
        Map.of("step", "copy", "statements", "1"), Map.of("step", "cut", "path", "/a", "group", "1", "by", "map"));
    assertThat(hops.get(2)).containsEntry("failure", "no route").doesNotContainKey("server");
  }

  @Test
  void explainsTheChoiceOfTheNearestServer() {
    String here = rns.server().address().toString();
    rns.server().tells(new Referral(RnsPath.ROOT, 3, 30_000, List.of(new Announcement(
        here, "one", ServerRole.PRIMARY, new Site("eu"), 100, 12, 4, Optional.of(new Position(0, 3, 9))))));
    assertThat(lines("explain --nearest --site eu /a").get(4)).startsWith(
        "  " + here + ": best of 1 servers for /, by a referral T old, valid for T: ")
        .contains("same site; round trip");
    assertThat(rns.run("explain", "--site", "eu", "/a").code()).isEqualTo(ExitCode.USAGE);
    assertThat(rns.run("explain", "--nearest", "--site", "a b", "/a").code()).isEqualTo(ExitCode.USAGE);
  }
}
