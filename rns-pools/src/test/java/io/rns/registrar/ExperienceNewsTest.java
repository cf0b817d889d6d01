package io.rns.registrar;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.EndpointReference;
import io.rns.api.RnsPath;
import io.rns.pool.ElementExperience;
import io.rns.pool.Parameters;
import io.rns.pool.PolicyType;
import io.rns.pool.PoolResolution.Selected;
import io.rns.pool.Registration;
import io.rns.pool.SharedExperience;
import io.rns.rserpool.EnrpCodec;
import io.rns.rserpool.EnrpMessage.ExperienceReport;
import io.rns.rserpool.Message;
import io.rns.rserpool.Octets;
import io.rns.rserpool.PoolExperience;
import io.rns.rserpool.PoolExperience.Report;
import io.rns.rserpool.WireLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Two peers with connections 1 and 2. */
class ExperienceNewsTest extends OneRegistrar {
  private static final RnsPath POOL = RnsPath.parse("/p");
  private static final long HOST = 70;

  private void peers() {
    received(1, presence(LOWER, false), 1);
    received(2, presence(HIGHER, false), 1);
  }

  private void element(RnsPath pool, int id) {
    List<EndpointReference> endpoints = List.of(EndpointReference.ofAddress("http://e" + id + "/"));
    registrar.asked(
        caller -> caller.register(pool, PolicyType.ADAPTIVE, new Registration(id, endpoints, Parameters.PLAIN, 60_000),
            0),
        1);
  }

  private List<ExperienceReport> reported(RnsPath pool, long host, List<ElementExperience> met, long now) {
    return reports(registrar.asked(
        caller -> {
          caller.experienced(pool, met, host);
          return true;
        }, now).effects());
  }

  private List<ExperienceReport> sentAt(long now) {
    return reports(registrar.run(now));
  }

  private static List<ExperienceReport> reports(List<Effect> effects) {
    List<ExperienceReport> reports = new ArrayList<>();
    for (Message message : sent(effects)) {
      if (message instanceof ExperienceReport report) {
        reports.add(report);
      }
    }
    return reports;
  }

  private SharedExperience told(int id, long now) {
    return registrar.asked(caller -> caller.resolve(POOL, 3, 0, 9), now).answer().elements().stream()
        .filter(element -> element.id() == id).map(Selected::shared).findFirst().orElseThrow();
  }

  @Test
  void whatUsersReportGoesToAllPeersOnceAndTheLastCounts() {
    peers();
    element(POOL, 1);
    element(POOL, 2);
    List<Report> first = List.of(new Report(7, ElementExperience.answered(2, 5)));
    assertThat(reported(POOL, 7, List.of(ElementExperience.answered(2, 5)), 10)).as("at once, to both")
        .containsOnly(new ExperienceReport(SELF, 0, List.of(new PoolExperience(HANDLE, first)))).hasSize(2);
    reported(POOL, HOST, List.of(ElementExperience.answered(1, 20), ElementExperience.answered(2, 30)), 10);
    reported(POOL, HOST, List.of(ElementExperience.failed(1)), 50);
    reported(POOL, HOST + 1, List.of(ElementExperience.answered(1, 40), ElementExperience.answered(99, 1)), 60);
    assertThat(sentAt(109)).isEmpty();
    List<Report> reports =
        List.of(
            new Report(HOST, ElementExperience.failed(1)), new Report(HOST, ElementExperience.answered(2, 30)),
            new Report(HOST + 1, ElementExperience.answered(1, 40)));
    ExperienceReport expected = new ExperienceReport(SELF, 0, List.of(new PoolExperience(HANDLE, reports)));
    assertThat(sentAt(110)).containsExactly(expected, expected);
    assertThat(sentAt(400)).isEmpty();
  }

  @Test
  void whatPeersReportCountsAsFromOwnUsersAndGoesNoFurther() {
    peers();
    element(POOL, 1);
    List<Report> reports =
        List.of(
            new Report(HOST, ElementExperience.answered(1, 300)), new Report(HOST, ElementExperience.failed(5)),
            new Report(HOST + 1, ElementExperience.answered(1, 320)));
    received(1, new ExperienceReport(LOWER, 0, List.of(new PoolExperience(HANDLE, reports))), 10);
    received(1, new ExperienceReport(LOWER, 0, List.of(new PoolExperience(Octets.utf8("no path"), reports))), 10);
    assertThat(told(1, 10)).isEqualTo(new SharedExperience(300, 0));
    assertThat(sentAt(400)).isEmpty();
  }

  @Test
  void withoutPeersNothingIsGathered() {
    element(POOL, 1);
    reported(POOL, HOST, List.of(ElementExperience.answered(1, 20)), 10);
    peers();
    assertThat(sentAt(400)).isEmpty();
    assertThat(told(1, 10).millis()).isEqualTo(20);
  }

  /** One host cannot take the room of others, all together cannot take more than the bound. */
  @Test
  void whatIsGatheredIsBounded() {
    peers();
    element(POOL, 1);
    element(POOL, 2);
    assertThat(reported(POOL, HOST, List.of(ElementExperience.answered(1, 20)), 10)).hasSize(2);
    RnsPath longest = RnsPath.parse("/" + "x".repeat(250) + ("/" + "y".repeat(250)).repeat(100));
    element(longest, 1);
    for (long host = 100; host < 200; host++) {
      reported(longest, host, List.of(ElementExperience.answered(1, 20)), 10);
      reported(POOL, host, List.of(ElementExperience.answered(1, 20), ElementExperience.answered(2, 20)), 10);
    }
    List<ExperienceReport> sent = sentAt(110);
    List<Report> all =
        sent.stream().flatMap(report -> report.pools().stream()).flatMap(pool -> pool.reports().stream()).toList();
    assertThat(all.stream().filter(report -> report.host() == 100)).as("of one host, to two peers").hasSize(6);
    int bytes = sent.stream().mapToInt(report -> EnrpCodec.encode(report).length).sum();
    assertThat(bytes / 2).isBetween(100_000, ExperienceNews.BYTES);
    assertThat(sent).allSatisfy(
        report -> assertThat(EnrpCodec.encode(report)).hasSizeLessThanOrEqualTo(WireLimits.MESSAGE_BYTES));
  }

  @Test
  void aHostThatReportsMuchLeavesRoomForOthers() {
    peers();
    IntStream.rangeClosed(1, 2).forEach(id -> element(POOL, id));
    RnsPath long1 = RnsPath.parse("/" + ("a".repeat(200) + "/").repeat(110) + "b");
    RnsPath long2 = RnsPath.parse("/" + ("a".repeat(200) + "/").repeat(110) + "c");
    element(long1, 1);
    element(long2, 1);
    assertThat(reported(POOL, HOST, List.of(ElementExperience.answered(1, 20)), 10)).hasSize(2);
    reported(long1, HOST, List.of(ElementExperience.failed(1)), 10);
    reported(long2, HOST, List.of(ElementExperience.failed(1)), 10);
    reported(POOL, HOST + 1, List.of(ElementExperience.failed(2)), 10);
    assertThat(sentAt(110).stream().flatMap(report -> report.pools().stream()).map(PoolExperience::handle).distinct())
        .containsExactly(Octets.utf8(long1.toString()), HANDLE);
  }
}
