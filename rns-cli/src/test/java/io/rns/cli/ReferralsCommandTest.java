package io.rns.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.Position;
import io.rns.api.RnsPath;
import io.rns.client.TestServer;
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

/** The command against two servers of a group and an unreachable address. */
class ReferralsCommandTest {
  private final CommandLineFixture rns = new CommandLineFixture();
  private final TestServer near = TestServer.start();

  @BeforeEach
  void announce() {
    Referral referral =
        new Referral(
            RnsPath.ROOT,
            3,
            30_000,
            List.of(
                server(rns.server().address().toString(), "one", ServerRole.PRIMARY, "us"),
                server(near.address().toString(), "two", ServerRole.REPLICA, "eu/essen"),
                Announcement.unreachable("http://127.0.0.1:1/rns", "three")));
    rns.server().tells(referral);
    near.tells(referral);
  }

  @AfterEach
  void stop() {
    near.close();
    rns.close();
  }

  private static Announcement server(String url, String name, ServerRole role, String site) {
    return new Announcement(url, name, role, new Site(site), 100, 12, 4, Optional.of(new Position(0, 3, 9)));
  }

  @Test
  void showsTheOrderForReadsAndForWritesWithReasons() {
    List<String> lines =
        rns.lines("referrals --site eu/essen").stream()
            .map(line -> line.replaceAll("[0-9.]+ ms", "T").replaceAll(" {2,}", "|")).toList();
    assertThat(lines)
        .containsExactly(
            "reads:",
            "|SERVER|ROLE|SITE|ADDRESS|WHY",
            "1|two|replica|eu/essen|" + near.address() + "|same site; not measured",
            "2|one|primary|us|" + rns.server().address() + "|2 levels away; round trip T, load 12 %",
            "3|three|out|-|http://127.0.0.1:1/rns|reported down; site unknown; not measured",
            "",
            "writes:",
            "|SERVER|ROLE|SITE|ADDRESS|WHY",
            "1|one|primary|us|" + rns.server().address()
                + "|primary, required for this call; 2 levels away; round trip T, load 12 %",
            "2|two|replica|eu/essen|" + near.address() + "|not the primary; same site; not measured",
            "3|three|out|-|http://127.0.0.1:1/rns|reported down; not the primary; site unknown; not measured");
  }

  @Test
  @SuppressWarnings("unchecked")
  void showsTheServersOfEachPartOfTheTree() {
    String one = rns.server().address().toString();
    String two = near.address().toString();
    rns.server().tells(new Referral(RnsPath.ROOT, 3, 30_000, List.of(server(one, "one", ServerRole.PRIMARY, "us"))),
        new Referral(RnsPath.parse("/a"), 1, 30_000, List.of(server(two, "two", ServerRole.PRIMARY, "eu"))));
    List<String> lines = rns.lines("referrals");
    assertThat(lines).filteredOn(line -> line.endsWith(":"))
        .containsExactly("reads:", "writes:", "below /a, reads:", "below /a, writes:");
    assertThat(lines.get(2)).contains("one");
    assertThat(lines).filteredOn(line -> line.contains(two)).hasSize(2);
    Map<String, Object> part = ((List<Map<String, Object>>) rns.done("referrals", "--json").json()
        .getOrDefault("parts", List.of())).get(0);
    assertThat(part).containsEntry("prefix", "/a");
    assertThat(((List<Map<String, Object>>) part.getOrDefault("writes", List.of())).get(0)).containsEntry("url", two);
  }

  @Test
  void flushQueriesEachServerDirectly() {
    List<String> lines = rns.lines("referrals --flush --site eu");
    assertThat(near.calls()).hasSize(1);
    assertThat(lines.get(2)).contains("two").contains("same site; round trip");
    assertThat(lines.get(4)).contains("three").contains("reported down; failed ");
  }

  @Test
  @SuppressWarnings("unchecked")
  void printsTheSameAsJson() {
    Map<String, Object> document = rns.done("referrals", "--json", "--site", "eu/essen").json();
    Map<String, Object> first = (Map<String, Object>) ((List<Object>) document.getOrDefault("reads", List.of())).get(0);
    assertThat(first)
        .containsEntry("url", near.address().toString())
        .containsEntry("told", "true")
        .containsEntry("name", "two")
        .containsEntry("role", "replica")
        .containsEntry("site", "eu/essen")
        .containsEntry("capacity", "100")
        .containsEntry("load", "12")
        .containsEntry("lagMillis", "4")
        .containsEntry("position", "0-3-9")
        .containsEntry("roundTripMillis", "0.0")
        .containsEntry("reason", "same site; not measured");
    assertThat((List<Object>) document.getOrDefault("writes", List.of())).hasSize(3);
    assertThat(document).containsKey("position");
  }

  @Test
  void aServerWithoutReferralIsShownAsNamed() {
    try (CommandLineFixture other = new CommandLineFixture()) {
      assertThat(other.lines("referrals").get(2)).contains(other.server().address().toString(),
          "named by the client, not reported by any server");
    }
  }

  @Test
  void anInvalidSiteIsRefused() {
    CommandLineFixture.Result result = rns.run("referrals", "--site", "a b");
    assertThat(result.code()).isEqualTo(ExitCode.USAGE);
    assertThat(result.err()).startsWith("rns: --site 'a b': a site has up to 200 characters");
  }
}
