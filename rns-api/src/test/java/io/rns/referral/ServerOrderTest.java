package io.rns.referral;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.Position;
import io.rns.api.Positions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ServerOrderTest {
  private static final long MILLI = 1_000_000;
  private static final Position SEEN = new Position(0, 3, 100);

  private static Announcement server(String url, ServerRole role, String site, long lagMillis, long sequence) {
    return new Announcement(
        url, url, role, new Site(site), 100, 0, lagMillis, Optional.of(new Position(0, 3, sequence)));
  }

  private static ServerCandidate of(Announcement server, Experience experience) {
    return new ServerCandidate(server, true, experience);
  }

  private static Experience measured(long millis, int inFlight) {
    return new Experience(millis * MILLI, inFlight, Positions.NONE, -1, 0);
  }

  private static List<String> urls(List<Choice> order) {
    return order.stream().map(choice -> choice.server().url()).toList();
  }

  private static List<String> order(Wish wish, ServerCandidate... candidates) {
    return urls(ServerOrder.of(List.of(candidates), wish, new Random(1)::nextInt));
  }

  @Test
  void positionOutranksSiteAndSiteOutranksRoundTrip() {
    ServerCandidate behind = of(server("near-behind", ServerRole.REPLICA, "eu/a", 300, 90), measured(1, 0));
    ServerCandidate near = of(server("near", ServerRole.REPLICA, "eu/a", 0, 100), measured(9, 5));
    ServerCandidate far = of(server("far", ServerRole.PRIMARY, "us", 0, 100), measured(1, 0));
    Wish wish = new Wish(false, Optional.of(SEEN), 5, new Site("eu/a"));
    assertThat(order(wish, far, behind, near)).containsExactly("near", "far", "near-behind");
    assertThat(order(Wish.read(new Site("eu/a")), far, behind, near)).containsExactly("near-behind", "near", "far");
  }

  @Test
  void aDrainingServerComesAfterAllOthersThatAnswer() {
    ServerCandidate draining = of(server("draining", ServerRole.DRAINING, "eu", 0, 100), measured(1, 0));
    ServerCandidate far = of(server("far", ServerRole.REPLICA, "us", 300, 90), measured(90, 7));
    ServerCandidate failed = of(server("failed", ServerRole.REPLICA, "eu", 0, 100),
        new Experience(MILLI, 0, Positions.NONE, 5, 500));
    ServerCandidate out = of(Announcement.unreachable("out", "out"), Experience.NONE);
    Wish wish = new Wish(false, Optional.of(SEEN), 5, new Site("eu"));
    assertThat(order(wish, out, failed, draining, far)).containsExactly("far", "draining", "failed", "out");
    assertThat(new Choice(draining, wish).reason()).startsWith("draining");
  }

  @Test
  void aWriteGoesToThePrimaryWhereverItIs() {
    ServerCandidate near = of(server("near", ServerRole.REPLICA, "eu", 0, 100), measured(1, 0));
    ServerCandidate far = of(server("far", ServerRole.PRIMARY, "us", 0, 100), measured(90, 7));
    assertThat(order(Wish.write(new Site("eu")), near, far)).containsExactly("far", "near");
  }

  @Test
  void aReplicaReachesThePositionSoonAfterItsLag() {
    ServerCandidate replica = of(server("replica", ServerRole.REPLICA, "eu", 50, 90), Experience.NONE);
    assertThat(new Choice(replica, new Wish(false, Optional.of(SEEN), 29, Site.NONE)).satisfies()).isFalse();
    assertThat(new Choice(replica, new Wish(false, Optional.of(SEEN), 30, Site.NONE)).satisfies()).isTrue();
    Experience answered = new Experience(MILLI, 0, Positions.of(SEEN), -1, 0);
    assertThat(new Choice(of(replica.server(), answered), new Wish(false, Optional.of(SEEN), 0, Site.NONE)).satisfies())
        .as("the client has read it there")
        .isTrue();
    Position other = new Position(7, 3, 1);
    assertThat(new Choice(replica, new Wish(false, Optional.of(other), 9_999, Site.NONE)).satisfies())
        .as("of another group")
        .isFalse();
  }

  @Test
  void aReplicaOfAnEarlierEpochLacksThePositionAtAnySequence() {
    ServerCandidate former = of(at("former", new Position(0, 2, 900)), measured(1, 0));
    ServerCandidate next = of(at("next", new Position(0, 4, 13)), measured(90, 5));
    Wish wish = new Wish(false, Optional.of(SEEN), 0, Site.NONE);
    assertThat(new Choice(former, wish).satisfies()).isFalse();
    assertThat(order(wish, former, next)).containsExactly("next", "former");
  }

  private static Announcement at(String url, Position position) {
    return new Announcement(url, url, ServerRole.REPLICA, Site.NONE, 100, 0, 50, Optional.of(position));
  }

  @Test
  void aFailedServerIsLastDuringBackOffAndThenProbedByOneCall() {
    Announcement near = server("near", ServerRole.REPLICA, "eu", 0, 100);
    ServerCandidate far = of(server("far", ServerRole.PRIMARY, "us", 0, 100), Experience.NONE);
    Wish wish = Wish.read(new Site("eu"));
    Experience resting = new Experience(MILLI, 0, Positions.NONE, 10, 1);
    Experience rested = new Experience(MILLI, 0, Positions.NONE, 10, 0);
    Experience tried = new Experience(MILLI, 1, Positions.NONE, 10, 0);
    Experience well = new Experience(MILLI, 1, Positions.NONE, -1, 0);
    assertThat(order(wish, of(near, resting), far)).containsExactly("far", "near");
    assertThat(order(wish, of(near, rested), far)).containsExactly("near", "far");
    assertThat(order(wish, of(near, tried), far)).containsExactly("far", "near");
    assertThat(order(wish, of(near, well), far)).containsExactly("near", "far");
  }

  @Test
  void unreportedServersFollowReportedOnesAndDownServersAreLast() {
    ServerCandidate named = new ServerCandidate(Announcement.unreachable("named", "named"), false, Experience.NONE);
    Announcement any = new Announcement("other", "", ServerRole.REPLICA, Site.NONE, 1, 0, 0, Optional.empty());
    ServerCandidate other = new ServerCandidate(any, false, Experience.NONE);
    ServerCandidate reported = of(server("reported", ServerRole.REPLICA, "us", 0, 1), measured(900, 3));
    assertThat(order(Wish.read(new Site("eu")), named, other, reported)).containsExactly("reported", "other", "named");
  }

  @Test
  void theBetterOfTwoWinsSoTheWorstIsNeverChosen() {
    List<ServerCandidate> candidates = new ArrayList<>();
    for (int i = 1; i <= 4; i++) {
      candidates.add(of(server("s" + i, ServerRole.REPLICA, "", 0, 100), measured(i, 1)));
    }
    Random random = new Random(7);
    Map<String, Integer> chosen = new HashMap<>();
    for (int i = 0; i < 6_000; i++) {
      List<String> order = urls(ServerOrder.of(candidates, Wish.read(Site.NONE), random::nextInt));
      chosen.merge(order.get(0), 1, Integer::sum);
      List<String> rest = new ArrayList<>(List.of("s1", "s2", "s3", "s4"));
      rest.remove(order.get(0));
      assertThat(order.subList(1, 4)).as("the others in the order of cost").isEqualTo(rest);
    }
    // Of the six pairs, three contain the best server; the second best wins two, the third one.
    assertThat(chosen.get("s1")).isBetween(2_800, 3_200);
    assertThat(chosen.get("s2")).isBetween(1_800, 2_200);
    assertThat(chosen.get("s3")).isBetween(850, 1_150);
    assertThat(chosen).doesNotContainKey("s4");
  }

  @Test
  void callsInFlightAndLoadCount() {
    ServerCandidate busy = of(server("busy", ServerRole.REPLICA, "", 0, 1), measured(2, 5));
    ServerCandidate slow = of(server("slow", ServerRole.REPLICA, "", 0, 1), measured(5, 1));
    assertThat(order(Wish.read(Site.NONE), busy, slow)).containsExactly("slow", "busy");
    Announcement loaded = new Announcement("loaded", "", ServerRole.REPLICA, Site.NONE, 100, 90, 0, Optional.empty());
    assertThat(order(Wish.read(Site.NONE), of(loaded, measured(1, 0)), slow)).as("1 ms / 10 free, 10 ms / 100 free")
        .hasSize(2);
    assertThat(order(Wish.read(Site.NONE), of(loaded, measured(2, 0)), slow)).containsExactly("slow", "loaded");
  }

  @Test
  void anUnmeasuredServerIsProbedByOneCall() {
    ServerCandidate known = of(server("known", ServerRole.REPLICA, "", 0, 1), measured(1, 0));
    Announcement fresh = server("new", ServerRole.REPLICA, "", 0, 1);
    assertThat(order(Wish.read(Site.NONE), known, of(fresh, Experience.NONE))).containsExactly("new", "known");
    Experience asked = new Experience(0, 1, Positions.NONE, -1, 0);
    assertThat(order(Wish.read(Site.NONE), known, of(fresh, asked))).containsExactly("known", "new");
  }

  @Test
  void newClientsSpreadOverTheServers() {
    List<ServerCandidate> candidates =
        List.of(
            of(server("a", ServerRole.REPLICA, "", 0, 1), Experience.NONE),
            of(server("b", ServerRole.REPLICA, "", 0, 1), Experience.NONE));
    Map<String, Integer> chosen = new HashMap<>();
    for (int seed = 0; seed < 1_000; seed++) {
      Random random = new Random(seed * 7_919L);
      chosen.merge(urls(ServerOrder.of(candidates, Wish.read(Site.NONE), random::nextInt)).get(0), 1, Integer::sum);
    }
    assertThat(chosen.get("a")).isBetween(350, 650);
  }

  /** Random groups, states and wishes: the order contains all candidates, and the first is never worse than another. */
  @Test
  void theFirstIsNeverWorseInCriteriaBeforeThePolicy() {
    Random random = new Random(20_261_122);
    for (int run = 0; run < 5_000; run++) {
      List<ServerCandidate> candidates = new ArrayList<>();
      int count = 1 + random.nextInt(6);
      for (int i = 0; i < count; i++) {
        candidates.add(candidate(random, "s" + i));
      }
      Optional<Position> seen = random.nextBoolean() ? Optional.of(SEEN) : Optional.empty();
      Wish wish = new Wish(random.nextInt(4) == 0, seen, random.nextInt(300), site(random));
      List<Choice> order = ServerOrder.of(candidates, wish, random::nextInt);
      assertThat(order).extracting(Choice::candidate).containsExactlyInAnyOrderElementsOf(candidates);
      Choice first = order.get(0);
      for (Choice other : order) {
        assertNotWorse(first, other);
        assertThat(other.reason()).isNotEmpty();
      }
    }
  }

  private static void assertNotWorse(Choice first, Choice other) {
    boolean healthy = isHealthy(other);
    assertThat(isHealthy(first) || !healthy).as("%s before %s", first, other).isTrue();
    if (!healthy) {
      return;
    }
    assertThat(first.satisfies() || !other.satisfies()).as("position: %s before %s", first, other).isTrue();
    if (first.satisfies() != other.satisfies()) {
      return;
    }
    boolean suits = first.server().role() == ServerRole.PRIMARY;
    boolean otherSuits = other.server().role() == ServerRole.PRIMARY;
    assertThat(!first.wish().primary() || suits || !otherSuits).as("role: %s before %s", first, other).isTrue();
    if (!first.wish().primary() || suits == otherSuits) {
      Site here = first.wish().site();
      assertThat(here.distance(first.server().site())).isLessThanOrEqualTo(here.distance(other.server().site()));
    }
  }

  private static boolean isHealthy(Choice choice) {
    Experience known = choice.candidate().experience();
    boolean out = known.failedMillis() >= 0 && (known.restMillis() > 0 || known.inFlight() > 0);
    return choice.server().role().compareTo(ServerRole.DRAINING) < 0 && choice.candidate().told() && !out;
  }

  private static Site site(Random random) {
    return new Site(List.of("", "eu", "eu/a", "eu/b", "us").get(random.nextInt(5)));
  }

  private static ServerCandidate candidate(Random random, String url) {
    Optional<Position> position =
        random.nextInt(5) == 0 ? Optional.empty()
            : Optional.of(new Position(random.nextInt(8) / 7, 3, 90 + random.nextInt(20)));
    ServerRole role = List.of(ServerRole.values()).get(random.nextInt(4));
    Announcement server =
        new Announcement(url, url, role, site(random), 1 + random.nextInt(100), random.nextInt(101),
            random.nextInt(200), position);
    boolean failed = random.nextInt(4) == 0;
    Positions read =
        random.nextBoolean() ? Positions.NONE : Positions.of(new Position(0, 3, 90 + random.nextInt(20)));
    Experience experience =
        new Experience(
            random.nextInt(3) * MILLI,
            random.nextInt(3),
            read,
            failed ? random.nextInt(1_000) : -1,
            failed ? random.nextInt(500) - 250 : 0);
    return new ServerCandidate(server, random.nextInt(6) != 0, experience);
  }

  @Test
  void statesTheReasons() {
    ServerCandidate primary = of(server("p", ServerRole.PRIMARY, "us", 0, 100), measured(2, 1));
    ServerCandidate replica =
        of(server("r", ServerRole.REPLICA, "eu", 300, 90), new Experience(MILLI / 2, 0, Positions.NONE, 2_000, 500));
    Wish read = new Wish(false, Optional.of(SEEN), 5, new Site("eu"));
    assertThat(new Choice(primary, read).reason())
        .isEqualTo("primary, always up to date; 1 level away; round trip 2.0 ms, 1 in flight, load 0 %");
    assertThat(new Choice(replica, read).reason())
        .isEqualTo(
            "failed 2000 ms ago, not retried for 500 ms; may lack the position seen: lag 300 ms; same site; round trip 0.5 ms, load 0 %");
    assertThat(new Choice(primary, Wish.write(Site.NONE)).reason())
        .isEqualTo("primary, required for this call; round trip 2.0 ms, 1 in flight, load 0 %");
    ServerCandidate named = new ServerCandidate(Announcement.unreachable("n", "n"), false, Experience.NONE);
    assertThat(new Choice(named, Wish.write(Site.NONE)).reason())
        .isEqualTo("named by the client, not reported by any server; reported down; role unknown; not measured");
  }
}
