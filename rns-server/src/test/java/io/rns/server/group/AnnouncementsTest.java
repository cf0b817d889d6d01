package io.rns.server.group;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rns.api.Position;
import io.rns.api.RnsPath;
import io.rns.referral.Announcement;
import io.rns.referral.Referral;
import io.rns.referral.ServerRole;
import io.rns.referral.Site;
import io.rns.replication.Allegiance;
import io.rns.replication.Lag;
import io.rns.replication.MemberList;
import io.rns.replication.MemberReport;
import io.rns.replication.Offer;
import io.rns.replication.Role;
import io.rns.replication.RoleState;
import io.rns.server.http.ServerJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AnnouncementsTest {
  private static final Offer OFFER = new Offer(new Site("eu"), 7, 30);

  private static MemberReport report(Role role, String reason, int epoch) {
    return new MemberReport(
        "name",
        "http://h/rns",
        role,
        Optional.of(new Position(0, epoch, 9)),
        new Lag(3, 4, 50),
        0,
        reason,
        Optional.empty(),
        List.of("http://h/rns"),
        MemberList.NONE,
        Allegiance.NONE,
        OFFER, "");
  }

  private static MemberReport read(JsonNode written) throws JsonProcessingException {
    return ServerJson.MAPPER.treeToValue(written, ReportJson.class).report();
  }

  @Test
  void whatMembersTellEachOtherSurvivesTheirMessages() throws JsonProcessingException {
    MemberReport report = report(Role.REPLICA, "", 2);
    ObjectNode written = ServerJson.MAPPER.valueToTree(ReportJson.of(report));
    assertThat(read(written)).isEqualTo(report);
    assertThat(read(written.without(List.of("offer"))).offer())
        .as("of a server of an earlier version")
        .isEqualTo(Offer.NONE);
  }

  @Test
  void aDrainingReplicaSaysSoAndAPrimaryDoesNot() {
    Offer draining = OFFER.draining(true);
    Announcement replica = Announcements.of(report(Role.REPLICA, "", 2).with(draining));
    assertThat(replica.role()).isEqualTo(ServerRole.DRAINING);
    assertThat(replica.lagMillis()).isEqualTo(50);
    assertThat(Announcements.of(report(Role.REPLICA, "cut off", 2).with(draining)).living()).isFalse();
    assertThat(Announcements.of(report(Role.PRIMARY, "", 2).with(draining)).role()).isEqualTo(ServerRole.PRIMARY);
  }

  @Test
  void aServerServesClientsIfNothingIsWrongWithIt() {
    Announcement replica = Announcements.of(report(Role.REPLICA, "", 2));
    assertThat(replica)
        .isEqualTo(
            new Announcement(
                "http://h/rns", "name", ServerRole.REPLICA, new Site("eu"), 7, 30, 50,
                Optional.of(new Position(0, 2, 9))));
    assertThat(Announcements.of(report(Role.PRIMARY, "", 2)).role()).isEqualTo(ServerRole.PRIMARY);
    assertThat(Announcements.of(report(Role.PRIMARY, "", 2)).lagMillis()).as("of a former life as a replica").isZero();
    assertThat(Announcements.of(report(Role.REPLICA, "cut off", 2)).living()).isFalse();
    assertThat(Announcements.of(report(Role.STARTING, "", 2)).living()).isFalse();
    assertThat(Announcements.of(report(Role.OUTSIDE, "", 2)).living()).isFalse();
    assertThat(Announcements.of("n", "u", RoleState.starting("starting"), Optional.empty(), OFFER).living()).isFalse();
  }

  @Test
  void theReferralHasTheLatestEpochAndABoundedNumberOfServers() {
    List<Announcement> servers = new ArrayList<>();
    servers.add(Announcement.unreachable("u", "n"));
    assertThat(Announcements.referral(RnsPath.ROOT, servers, 5)).isEqualTo(new Referral(RnsPath.ROOT, 0, 5, servers));
    for (int i = 0; i < 150; i++) {
      servers.add(Announcements.of(report(Role.REPLICA, "", i)));
    }
    Referral referral = Announcements.referral(RnsPath.ROOT, servers, 5);
    assertThat(referral.epoch()).isEqualTo(149);
    assertThat(referral.servers()).hasSize(Referral.MOST_SERVERS);
  }
}
