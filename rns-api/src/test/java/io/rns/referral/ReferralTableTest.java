package io.rns.referral;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.Position;
import io.rns.api.RnsPath;
import io.rns.error.RnsException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ReferralTableTest {
  private static final long MILLI = 1_000_000;

  private static Referral referral(String prefix, int epoch, long ttlMillis, String... urls) {
    List<Announcement> servers = new ArrayList<>();
    for (String url : urls) {
      servers.add(Announcement.unreachable(url, url));
    }
    return new Referral(RnsPath.parse(prefix), epoch, ttlMillis, servers);
  }

  private static Optional<Integer> epochAt(ReferralTable table, String path, long nanos) {
    return table.at(RnsPath.parse(path), nanos).map(row -> row.referral().epoch());
  }

  @Test
  void theLongestMatchingPrefixWins() {
    ReferralTable table =
        ReferralTable.EMPTY.with(List.of(referral("/a/b", 2, 10), referral("/", 1, 10), referral("/a", 3, 10)), 0);
    assertThat(epochAt(table, "/", 0)).contains(1);
    assertThat(epochAt(table, "/ab", 0)).contains(1);
    assertThat(epochAt(table, "/a", 0)).contains(3);
    assertThat(epochAt(table, "/a/bc", 0)).contains(3);
    assertThat(epochAt(table, "/a/b", 0)).contains(2);
    assertThat(epochAt(table, "/a/b/c/d", 0)).contains(2);
  }

  @Test
  void anExpiredReferralGivesWayToAShorterPrefix() {
    ReferralTable table = ReferralTable.EMPTY.with(List.of(referral("/a", 2, 10), referral("/", 1, 20)), 0);
    assertThat(epochAt(table, "/a", 10 * MILLI - 1)).contains(2);
    assertThat(epochAt(table, "/a", 10 * MILLI)).contains(1);
    assertThat(epochAt(table, "/a", 20 * MILLI)).isEmpty();
  }

  @Test
  void anEarlierEpochNeverReplacesAnUnexpiredLaterOne() {
    ReferralTable table = ReferralTable.EMPTY.with(List.of(referral("/", 5, 10, "new")), 0);
    assertThat(table.with(List.of(referral("/", 4, 10, "old")), 5 * MILLI)).isSameAs(table);
    assertThat(table.with(List.of(referral("/", 5, 10, "later")), 5 * MILLI).at(RnsPath.ROOT, 5 * MILLI))
        .hasValueSatisfying(row -> assertThat(row.referral().servers().get(0).url()).isEqualTo("later"));
    assertThat(epochAt(table.with(List.of(referral("/", 4, 10)), 10 * MILLI), "/", 10 * MILLI)).as("a re-created group")
        .contains(4);
  }

  @Test
  void theTableIsBoundedAndEvictsTheFirstToExpire() {
    ReferralTable table = ReferralTable.EMPTY;
    for (int i = 0; i < ReferralTable.MOST; i++) {
      table = table.with(List.of(referral("/" + i, i, 1_000 + i)), 0);
    }
    assertThat(table.size()).isEqualTo(ReferralTable.MOST);
    table = table.with(List.of(referral("/more", 99, 1_000)), 0);
    assertThat(table.size()).isEqualTo(ReferralTable.MOST);
    assertThat(epochAt(table, "/0", 0)).isEmpty();
    assertThat(epochAt(table, "/1", 0)).contains(1);
    assertThat(epochAt(table, "/more", 0)).contains(99);
  }

  private static Referral ofGroup(int group, String prefix, int epoch) {
    Announcement server = new Announcement(
        "u", "u", ServerRole.PRIMARY, Site.NONE, 1, 0, 0, Optional.of(new Position(group, epoch, 1)));
    return new Referral(RnsPath.parse(prefix), epoch, 10, List.of(server));
  }

  @Test
  void aReportWithTheRootForgetsPartsThatItDoesNotList() {
    ReferralTable table = ReferralTable.EMPTY.with(List.of(referral("/", 1, 10), referral("/a", 2, 10)), 0);
    assertThat(epochAt(table.with(List.of(referral("/b", 3, 10)), 0), "/a", 0)).as("not all parts").contains(2);
    ReferralTable after = table.with(List.of(referral("/", 1, 10), referral("/b", 3, 10)), 0);
    assertThat(epochAt(after, "/a", 0)).contains(1);
    assertThat(epochAt(after, "/b", 0)).contains(3);
    ReferralTable stale = table.with(List.of(referral("/", 0, 10), referral("/b", 3, 10)), 0);
    assertThat(epochAt(stale, "/a", 0)).as("its server has missed something").contains(2);
    assertThat(epochAt(stale, "/b", 0)).contains(3);
    ReferralTable stalePart = table.with(List.of(referral("/", 1, 10), referral("/a", 1, 10)), 0);
    assertThat(epochAt(stalePart, "/a", 0)).contains(2);
  }

  @Test
  void epochsOfDifferentGroupsHaveNoOrder() {
    ReferralTable table = ReferralTable.EMPTY.with(List.of(ofGroup(1, "/a", 7)), 0);
    assertThat(table.isStale(ofGroup(1, "/a", 6), 0)).isTrue();
    assertThat(table.isStale(ofGroup(1, "/a", 6), 10 * MILLI)).as("expired").isFalse();
    assertThat(table.isStale(referral("/a", 6, 10), 0)).as("no server says its group").isTrue();
    assertThat(epochAt(table.with(List.of(ofGroup(2, "/a", 1)), 0), "/a", 0)).as("the new owner").contains(1);
  }

  @Test
  void serversAreFoundByTheirGroup() {
    ReferralTable table = ReferralTable.EMPTY.with(List.of(ofGroup(0, "/", 1), ofGroup(3, "/a", 4)), 0);
    assertThat(table.ofGroup(3, 0).map(row -> row.referral().prefix())).contains(RnsPath.parse("/a"));
    assertThat(table.ofGroup(0, 0).map(row -> row.referral().prefix())).contains(RnsPath.ROOT);
    assertThat(table.ofGroup(2, 0)).isEmpty();
    assertThat(table.ofGroup(3, 10 * MILLI)).isEmpty();
  }

  /** Compares the table with a plain map of the latest referrals, in random order and time. */
  @Test
  void agreesWithAModelOverRandomReferrals() {
    Random random = new Random(4711);
    List<String> prefixes = List.of("/", "/a", "/a/b", "/a/b/c", "/d");
    for (int run = 0; run < 200; run++) {
      ReferralTable table = ReferralTable.EMPTY;
      Map<String, ReferralTable.Row> model = new HashMap<>();
      long now = 0;
      for (int step = 0; step < 40; step++) {
        now += random.nextInt(8) * MILLI;
        Referral referral =
            referral(prefixes.get(random.nextInt(prefixes.size())), random.nextInt(4), 1 + random.nextInt(30));
        table = table.with(List.of(referral), now);
        ReferralTable.Row known = model.get(referral.prefix().toString());
        if (known == null || known.nanosLeft(now) <= 0 || known.referral().epoch() <= referral.epoch()) {
          if (referral.prefix().isRoot()) {
            model.clear();
          }
          model.put(referral.prefix().toString(), new ReferralTable.Row(referral, now));
        }
        String path = prefixes.get(random.nextInt(prefixes.size())) + (random.nextBoolean() ? "" : "x");
        assertThat(table.at(RnsPath.parse(path), now)).as(path).isEqualTo(best(model, path, now));
      }
    }
  }

  private static Optional<ReferralTable.Row> best(Map<String, ReferralTable.Row> model, String path, long now) {
    for (RnsPath prefix = RnsPath.parse(path);; prefix = prefix.parent()) {
      ReferralTable.Row row = model.get(prefix.toString());
      if (row != null && row.nanosLeft(now) > 0) {
        return Optional.of(row);
      }
      if (prefix.isRoot()) {
        return Optional.empty();
      }
    }
  }

  @Test
  void announcementsAndReferralsAreBounded() {
    List<Announcement> most = new ArrayList<>();
    for (int i = 0; i < Referral.MOST_SERVERS; i++) {
      most.add(Announcement.unreachable("http://h" + i, "h"));
    }
    assertThat(new Referral(RnsPath.ROOT, 0, 1, most).servers()).hasSize(100);
    most.add(Announcement.unreachable("http://h", "h"));
    assertThatThrownBy(() -> new Referral(RnsPath.ROOT, 0, 1, most)).isInstanceOf(RnsException.class)
        .hasMessageContaining("101");
    assertThatThrownBy(() -> new Referral(RnsPath.ROOT, -1, 1, List.of())).isInstanceOf(RnsException.class);
    assertThatThrownBy(() -> new Referral(RnsPath.ROOT, 0, 0, List.of())).isInstanceOf(RnsException.class);
    assertThatThrownBy(() -> new Referral(RnsPath.ROOT, 0, 86_400_001, List.of())).isInstanceOf(RnsException.class);
    assertThatThrownBy(() -> Announcement.unreachable("x".repeat(2_001), "")).isInstanceOf(RnsException.class);
    assertThatThrownBy(() -> new Announcement("", "", ServerRole.OUT, Site.NONE, 0, 0, 0, Optional.empty()))
        .isInstanceOf(RnsException.class);
    assertThatThrownBy(() -> new Announcement("", "", ServerRole.OUT, Site.NONE, 1, 101, 0, Optional.empty()))
        .isInstanceOf(RnsException.class);
  }
}
