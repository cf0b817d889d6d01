package io.rns.server.soap;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.RnsPath;
import io.rns.referral.Announcement;
import io.rns.referral.Referral;
import io.rns.referral.ServerRole;
import io.rns.referral.Site;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class NearServersTest {
  private static final Site ESSEN = new Site("eu/essen");

  private final List<Announcement> told = new ArrayList<>();
  private final Random random = new Random(3);
  private long nanos = -5;
  private int asked;
  private final NearServers near = new NearServers(this::servers, () -> nanos, random::nextInt);

  private List<Referral> servers() {
    asked++;
    return List.of(new Referral(RnsPath.ROOT, 0, 1_000, told));
  }

  private static Announcement server(String host, ServerRole role, String site, int load) {
    return new Announcement("http://" + host + "/rns", host, role, new Site(site), 100, load, 0, Optional.empty());
  }

  private static String soap(String host) {
    return "http://" + host + "/rns/services/rns";
  }

  @Test
  void othersAreTwoThatLiveInAConstantOrderWithoutTheOneThatAnswers() {
    assertThat(near.others(soap("b"))).isEmpty();
    nanos += TimeUnit.SECONDS.toNanos(1);
    told.add(server("d", ServerRole.REPLICA, "", 0));
    told.add(server("a", ServerRole.OUT, "", 0));
    told.add(server("c", ServerRole.REPLICA, "", 0));
    told.add(server("b", ServerRole.PRIMARY, "", 0));
    told.add(server("e", ServerRole.REPLICA, "", 0));
    assertThat(near.others(soap("b"))).containsExactly(soap("c"), soap("d"));
    assertThat(near.others(soap("c"))).containsExactly(soap("b"), soap("d"));
    assertThat(near.others("http://elsewhere/")).containsExactly(soap("b"), soap("c"));
  }

  @Test
  void theServersAreLookedAtOnceASecond() {
    told.add(server("a", ServerRole.REPLICA, "", 0));
    assertThat(near.others(soap("b"))).containsExactly(soap("a"));
    told.set(0, server("c", ServerRole.REPLICA, "", 0));
    nanos += TimeUnit.SECONDS.toNanos(1) - 1;
    assertThat(near.others(soap("b"))).containsExactly(soap("a"));
    assertThat(asked).isEqualTo(1);
    nanos++;
    assertThat(near.others(soap("b"))).containsExactly(soap("c"));
    assertThat(asked).isEqualTo(2);
  }

  @Test
  void theBestLivesAndIsTheNearest() {
    assertThat(near.best(ESSEN)).isEmpty();
    told.add(server("out", ServerRole.OUT, "eu/essen", 0));
    assertThat(near.best(ESSEN)).as("nobody lives").isEmpty();
    told.add(server("far", ServerRole.PRIMARY, "us", 0));
    told.add(server("bonn", ServerRole.REPLICA, "eu/bonn", 0));
    told.add(server("essen", ServerRole.REPLICA, "eu/essen", 90));
    for (int i = 0; i < 50; i++) {
      assertThat(near.best(ESSEN)).contains(soap("essen"));
      assertThat(near.best(new Site("eu/bonn/rack"))).contains(soap("bonn"));
      assertThat(near.best(new Site("us"))).contains(soap("far"));
    }
    told.remove(3);
    assertThat(near.best(ESSEN)).as("at once, without the second's delay").contains(soap("bonn"));
  }

  @Test
  void callersWithoutASiteAreSharedAndTheLoadedServerGetsFewer() {
    for (int i = 0; i < 3; i++) {
      told.add(server("free" + i, ServerRole.REPLICA, i == 0 ? "eu" : "us", 10));
    }
    told.add(server("loaded", ServerRole.PRIMARY, "us", 95));
    int[] chosen = new int[4];
    for (int i = 0; i < 1_000; i++) {
      String best = near.best(Site.NONE).orElseThrow();
      chosen[best.equals(soap("loaded")) ? 3 : Integer.parseInt(best.substring(11, 12))]++;
    }
    assertThat(chosen[3]).as("the better of two is never the most loaded one").isZero();
    for (int i = 0; i < 3; i++) {
      assertThat(chosen[i]).isBetween(250, 420);
    }
  }
}
