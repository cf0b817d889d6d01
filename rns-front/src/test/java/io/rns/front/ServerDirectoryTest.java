package io.rns.front;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.Position;
import io.rns.api.Positions;
import io.rns.api.RnsPath;
import io.rns.client.http.TlsTrust;
import io.rns.referral.Announcement;
import io.rns.referral.Referral;
import io.rns.referral.ServerRole;
import io.rns.referral.Site;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ServerDirectoryTest {
  private static List<String> learned(String named, String... reported) {
    List<Announcement> servers = List.of(reported).stream().map(url -> Announcement.unreachable(url, url)).toList();
    try (ServerDirectory directory = new ServerDirectory(List.of(URI.create(named)), Site.NONE, TlsTrust.SYSTEM)) {
      directory.learn(List.of(new Referral(RnsPath.ROOT, 0, 1_000, servers)));
      return directory.urls();
    }
  }

  @Test
  void aFrontOfHttpsServersUsesNoServerOfHttp() {
    String plain = "http://127.0.0.1:2/rns";
    String secured = "https://127.0.0.1:3/rns";
    assertThat(learned("https://127.0.0.1:1/rns", plain, secured))
        .containsExactlyInAnyOrder("https://127.0.0.1:1/rns", secured);
    assertThat(learned("http://127.0.0.1:1/rns", plain, secured)).hasSize(3);
  }

  private static Announcement server(int number, ServerRole role) {
    String url = "http://127.0.0.1:" + number + "/rns";
    return new Announcement(url, "s" + number, role, Site.NONE, 1, 0, 0, Optional.empty());
  }

  @Test
  void aDrainingServerGetsNoRequestWhileAnotherAnswers() {
    Announcement draining = server(1, ServerRole.DRAINING);
    Announcement other = server(2, ServerRole.PRIMARY);
    try (ServerDirectory directory =
        new ServerDirectory(List.of(URI.create(draining.url())), Site.NONE, TlsTrust.SYSTEM)) {
      directory.learn(List.of(new Referral(RnsPath.ROOT, 0, 1_000, List.of(draining, other))));
      FrontedServer server = directory.at(other.url());
      for (boolean direct : List.of(false, true)) {
        for (int i = 0; i < 20; i++) {
          assertThat(
              directory.choose(RnsPath.ROOT, ServerDirectory.Wanted.ANY, direct, Set.of()).orElseThrow().server())
              .isEqualTo(server);
          server.sentTo().incrementAndGet();
          server.history().begun();
        }
      }
      assertThat(
          directory.choose(RnsPath.ROOT, ServerDirectory.Wanted.ANY, false, Set.of(server)).orElseThrow().server())
          .isEqualTo(directory.at(draining.url()));
    }
  }

  @Test
  void clientsAreSentToAllServersAlikeHoweverTheseAnswerTheFront() {
    List<Announcement> servers =
        Stream.of(1, 2, 3, 4).map(i -> server(i, i == 1 ? ServerRole.PRIMARY : ServerRole.REPLICA)).toList();
    try (ServerDirectory directory =
        new ServerDirectory(List.of(URI.create(servers.getFirst().url())), Site.NONE, TlsTrust.SYSTEM)) {
      directory.learn(List.of(new Referral(RnsPath.ROOT, 0, 1_000, servers)));
      directory.at(servers.getFirst().url()).history().answered(System.nanoTime(), 1_000_000, Positions.NONE);
      directory.at(servers.getLast().url()).history().begun();
      for (int i = 0; i < 400; i++) {
        directory.choose(RnsPath.ROOT, ServerDirectory.Wanted.ANY, true, Set.of()).orElseThrow().server().sentTo()
            .incrementAndGet();
      }
      assertThat(servers).allSatisfy(
          server -> assertThat(directory.at(server.url()).sentTo().get()).isBetween(95, 105));
    }
  }

  private static Optional<String> chosen(ServerDirectory directory, int group) {
    return directory.chooseOf(group, Set.of()).map(chosen -> chosen.server().url().toString());
  }

  @Test
  void aNamedServerIsOfTheGroupUntilGroupsAreReported() {
    String named = "http://127.0.0.1:1/rns";
    List<Announcement> servers =
        List.of(
            new Announcement("http://127.0.0.1:2/rns", "s2", ServerRole.PRIMARY, Site.NONE, 1, 0, 0,
                Optional.of(new Position(3, 1, 1))));
    List<Integer> groups = new ArrayList<>();
    try (ServerDirectory directory = new ServerDirectory(List.of(URI.create(named)), Site.NONE, TlsTrust.SYSTEM)) {
      directory.nameGroupsTo(groups::add);
      assertThat(chosen(directory, ChangeFollower.UNKNOWN)).contains(named);
      directory.learn(List.of(new Referral(RnsPath.ROOT, 0, 1_000, List.of())));
      assertThat(chosen(directory, 0)).as("alone, it reports no group").contains(named);
      assertThat(groups).isEmpty();
      directory.learn(List.of(new Referral(RnsPath.ROOT, 0, 30_000, servers)));
      assertThat(chosen(directory, 3)).contains(servers.getFirst().url());
      assertThat(chosen(directory, 0)).isEmpty();
      assertThat(groups).containsExactly(3);
    }
  }
}
