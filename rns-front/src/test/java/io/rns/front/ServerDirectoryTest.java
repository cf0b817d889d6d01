package io.rns.front;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.RnsPath;
import io.rns.client.http.TlsTrust;
import io.rns.referral.Announcement;
import io.rns.referral.Referral;
import io.rns.referral.Site;
import java.net.URI;
import java.util.List;
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
}
