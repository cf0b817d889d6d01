package io.rns.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.ModelNameService;
import io.rns.api.NameService;
import io.rns.api.RnsPath;
import io.rns.client.call.BoundedNameService;
import io.rns.client.call.Deadline;
import io.rns.referral.Announcement;
import io.rns.referral.Referral;
import io.rns.referral.ReferralTable;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class KnownServersTest {
  private static final String OWN = "http://own/rns";

  private final List<URI> closed = new ArrayList<>();
  private final Servers servers = new Servers(List.of(RnsClient.soapEndpoint(URI.create(OWN))), Silent::new);

  /** A server that nobody asks. */
  private final class Silent implements BoundedNameService {
    private final URI uri;

    Silent(URI uri) {
      this.uri = uri;
    }

    @Override
    public NameService until(Deadline deadline) {
      return new ModelNameService();
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {
      closed.add(uri);
    }
  }

  private static Referral referral(String prefix, List<String> urls) {
    return new Referral(
        RnsPath.parse(prefix), 0, 1_000, urls.stream().map(url -> Announcement.unreachable(url, url)).toList());
  }

  private static List<String> urls(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> "http://h" + i + "/rns").toList();
  }

  private static KnownServers.Part root(KnownServers known) {
    return known.at(RnsPath.ROOT, 0);
  }

  private static List<String> told(KnownServers.Part part) {
    return part.servers().stream().filter(KnownServers.Known::told).map(known -> known.announcement().url()).toList();
  }

  @Test
  void theOwnServersAreThereWhateverIsTold() {
    assertThat(root(KnownServers.of(ReferralTable.EMPTY, servers)).servers()).singleElement()
        .matches(own -> !own.told());
    ReferralTable table =
        ReferralTable.EMPTY.with(referral("/a", List.of("http://x/rns", OWN)), 0).with(referral("/b", List.of()), 0);
    KnownServers known = KnownServers.of(table, servers);
    assertThat(known.at(RnsPath.parse("/a/x"), 0).servers()).hasSize(2).allMatch(KnownServers.Known::told);
    assertThat(known.at(RnsPath.parse("/b"), 0).servers()).singleElement().matches(own -> !own.told());
    assertThat(root(known).servers()).hasSize(1);
    assertThat(known.isDivided()).isTrue();
    assertThat(known.prefix(RnsPath.parse("/a/x"), 0)).hasToString("/a");
    assertThat(known.prefix(RnsPath.parse("/c"), 0)).isEqualTo(RnsPath.ROOT);
    assertThat(known.at(RnsPath.parse("/a/x"), 1_000_000_000L).servers()).as("it has ended").hasSize(1);
    assertThat(known.all()).hasSize(2);
    assertThat(KnownServers.of(ReferralTable.EMPTY.with(referral("/", urls(0, 2)), 0), servers).isDivided()).isFalse();
  }

  @Test
  void asManyAreKeptAsAReferralTellsAndTheOthersAreTold() {
    ReferralTable table =
        ReferralTable.EMPTY.with(referral("/a", urls(0, 99)), 0).with(referral("/", urls(98, 101)), 0);
    KnownServers.Part root = root(KnownServers.of(table, servers));
    assertThat(told(root)).isEqualTo(urls(98, 100));
    assertThat(root.others()).extracting(Announcement::url).isEqualTo(urls(100, 101));
    assertThat(closed).isEmpty();
    assertThat(
        root(KnownServers.of(ReferralTable.EMPTY.with(referral("/", List.of("no address")), 0), servers)).others())
        .hasSize(1);
  }

  @Test
  void serversThatNobodyTellsOfMakeRoomUnlessTheyAreBeingAsked() {
    KnownServers before = KnownServers.of(ReferralTable.EMPTY.with(referral("/", urls(0, 100)), 0), servers);
    Server busy = root(before).servers().get(3).server();
    busy.conduct().begun();
    ReferralTable next = ReferralTable.EMPTY.with(referral("/", urls(50, 60)), 0);
    assertThat(told(root(KnownServers.of(next, servers)))).isEqualTo(urls(50, 60));
    assertThat(closed).as("there was no need").isEmpty();
    KnownServers after = KnownServers.of(ReferralTable.EMPTY.with(referral("/", urls(99, 199)), 0), servers);
    assertThat(told(root(after))).as("all but the last one, for which the busy one leaves no place")
        .isEqualTo(urls(99, 198));
    assertThat(closed).hasSize(98).doesNotContain(busy.endpoint(), URI.create(OWN + "/services/rns"));
    assertThat(servers.own()).hasSize(1);
    busy.conduct().ended();
    assertThat(told(root(KnownServers.of(ReferralTable.EMPTY.with(referral("/", urls(99, 199)), 0), servers))))
        .isEqualTo(urls(99, 199));
  }
}
