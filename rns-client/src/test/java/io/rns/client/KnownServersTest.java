package io.rns.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.ModelNameService;
import io.rns.api.NameService;
import io.rns.api.Position;
import io.rns.api.RnsPath;
import io.rns.client.call.BoundedNameService;
import io.rns.client.call.Deadline;
import io.rns.referral.Announcement;
import io.rns.referral.Referral;
import io.rns.referral.ReferralTable;
import io.rns.referral.ServerRole;
import io.rns.referral.Site;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
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

  private static ReferralTable table(Referral... report) {
    return ReferralTable.EMPTY.with(List.of(report), 0);
  }

  private static Subject.Place place(String directory) {
    return new Subject.Place(RnsPath.parse(directory), OptionalInt.empty());
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
        ReferralTable.EMPTY.with(List.of(referral("/a", List.of("http://x/rns", OWN)), referral("/b", List.of())), 0);
    KnownServers known = KnownServers.of(table, servers);
    assertThat(known.at(RnsPath.parse("/a/x"), 0).servers()).hasSize(2).allMatch(KnownServers.Known::told);
    assertThat(known.at(RnsPath.parse("/b"), 0).servers()).singleElement().matches(own -> !own.told());
    assertThat(root(known).servers()).hasSize(1);
    assertThat(known.isDivided()).isTrue();
    assertThat(known.prefix(place("/a/x"), 0)).hasToString("/a");
    assertThat(known.prefix(place("/c"), 0)).isEqualTo(RnsPath.ROOT);
    assertThat(known.at(RnsPath.parse("/a/x"), 1_000_000_000L).servers()).as("it has ended").hasSize(1);
    assertThat(known.all()).hasSize(2);
    assertThat(KnownServers.of(table(referral("/", urls(0, 2))), servers).isDivided()).isFalse();
  }

  @Test
  void asManyAreKeptAsTenReferralsTellAndTheOthersAreTold() {
    ReferralTable table = table(most(referral("/", urls(998, 1_001))));
    KnownServers.Part root = root(KnownServers.of(table, servers));
    assertThat(told(root)).isEqualTo(urls(998, 1_000));
    assertThat(root.others()).extracting(Announcement::url).isEqualTo(urls(1_000, 1_001));
    assertThat(closed).isEmpty();
    assertThat(root(KnownServers.of(table(referral("/", List.of("no address"))), servers)).others()).hasSize(1);
  }

  @Test
  void aClientOfHttpsUsesNoServerOfHttp() {
    Servers secured = new Servers(List.of(RnsClient.soapEndpoint(URI.create("https://own/rns"))), Silent::new);
    Referral referral = referral("/", List.of("http://a/rns", "HTTPS://b/rns", "https://own/rns"));
    KnownServers.Part root = root(KnownServers.of(table(referral), secured));
    assertThat(told(root)).containsExactly("HTTPS://b/rns", "https://own/rns");
    assertThat(root.others()).extracting(Announcement::url).containsExactly("http://a/rns");
    assertThat(told(root(KnownServers.of(table(referral), servers)))).as("a client of HTTP").hasSize(3);
  }

  /** Referrals that fill all places but two, and the given one. */
  private static Referral[] most(Referral last) {
    List<Referral> referrals = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      referrals.add(referral("/" + i, urls(100 * i, i == 9 ? 998 : 100 * i + 100)));
    }
    referrals.add(last);
    return referrals.toArray(Referral[]::new);
  }

  @Test
  void serversThatNobodyTellsOfMakeRoomUnlessTheyAreBeingAsked() {
    KnownServers before = KnownServers.of(table(most(referral("/", urls(998, 1_000)))), servers);
    Server busy = before.at(RnsPath.parse("/0"), 0).servers().get(3).server();
    busy.conduct().begun();
    assertThat(told(root(KnownServers.of(table(referral("/", urls(50, 60))), servers)))).isEqualTo(urls(50, 60));
    assertThat(closed).as("there was no need").isEmpty();
    Referral next = referral("/", urls(999, 1_099));
    assertThat(told(root(KnownServers.of(table(next), servers)))).isEqualTo(urls(999, 1_099));
    assertThat(closed).as("all but the busy one").hasSize(998).doesNotContain(busy.endpoint(),
        URI.create(OWN + "/services/rns"));
    assertThat(servers.own()).hasSize(1);
  }

  @Test
  void whatIsNamedByIdIsInAPartOfTheGroupThatMadeIt() {
    Announcement ofThree = new Announcement("http://x/rns", "x", ServerRole.PRIMARY, Site.NONE, 1, 0, 0,
        Optional.of(new Position(3, 1, 1)));
    Referral part = new Referral(RnsPath.parse("/a"), 1, 1_000, List.of(ofThree));
    KnownServers known = KnownServers.of(table(referral("/", urls(0, 1)), part), servers);
    assertThat(known.prefix(new Subject.Place(RnsPath.ROOT, OptionalInt.of(3)), 0)).hasToString("/a");
    assertThat(known.prefix(new Subject.Place(RnsPath.ROOT, OptionalInt.of(4)), 0)).isEqualTo(RnsPath.ROOT);
    assertThat(known.parts(0)).extracting(RnsPath::toString).containsExactly("/", "/a");
    assertThat(known.parts(1_000_000_000L)).containsExactly(RnsPath.ROOT);
  }
}
