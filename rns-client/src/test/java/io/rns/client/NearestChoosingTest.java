package io.rns.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.ModelNameService;
import io.rns.api.NameService;
import io.rns.api.Position;
import io.rns.api.QueryRequest;
import io.rns.api.RequestId;
import io.rns.api.RnsPath;
import io.rns.api.Routing;
import io.rns.api.Target;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.referral.Announcement;
import io.rns.referral.Choice;
import io.rns.referral.Referral;
import io.rns.referral.ServerRole;
import io.rns.referral.Site;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A client that chooses among the servers of a group, in virtual time. */
class NearestChoosingTest {
  private static final long MILLI = 1_000_000;
  private static final QueryRequest ROOT = QueryRequest.of(Target.ROOT);
  private static final RetryPolicy POLICY =
      new RetryPolicy(50, Duration.ofSeconds(30), Duration.ofMillis(1), Duration.ofMillis(2));

  private final ManualTicker ticker = new ManualTicker();
  private final Random random = new Random(5);
  private final ReferralKeeper keeper = ReferralKeeper.of(new Site("eu/a"), ticker);
  private final NameService tree = new ModelNameService();
  private final Map<String, Member> members = new LinkedHashMap<>();
  private int added;

  /** A server of the group that may be down, and tells of all when it is asked. */
  private final class Member implements BoundedNameService {
    private final TestMember member = new TestMember(tree);
    private final String url;
    private final String site;
    private ServerRole role = ServerRole.REPLICA;
    private long lagMillis;
    private Position position = new Position(0, 1, 0);
    private long nanosPerCall = MILLI;
    private boolean up = true;
    private int calls;
    private long nanosLeft;

    Member(String host, String site) {
      this.url = "http://" + host + "/rns";
      this.site = site;
      members.put(url, this);
    }

    Announcement announcement() {
      return new Announcement(url, url, role, new Site(site), 100, 0, lagMillis, Optional.of(position));
    }

    @Override
    public NameService until(Deadline deadline) {
      calls++;
      nanosLeft = deadline.nanosLeft();
      ticker.pass(nanosPerCall);
      if (!up) {
        throw new RnsException(RnsError.UNAVAILABLE, "down", ExchangeFailure.notSent(new IOException("refused")));
      }
      if (keeper.claim()) {
        keeper.told(
            new Referral(RnsPath.ROOT, 1, 30_000, members.values().stream().map(Member::announcement).toList()));
      }
      return member;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {
      up = false;
    }
  }

  private final Member far = new Member("far", "us");
  private final Member near = new Member("near", "eu/a");
  private final Member other = new Member("other", "eu/b");
  private final Servers servers =
      new Servers(
          List.of(URI.create("http://far/rns/services/rns")),
          uri -> member(uri.toString().replace("/services/rns", "")));
  private final NearestChoosing choosing =
      new NearestChoosing(servers, keeper, new Site("eu/a"), ticker, bound -> (long) (random.nextDouble() * bound));
  private final NameService client =
      new RetryingNameService(new Repetition(new Referrals(choosing, ticker), POLICY, ticker, bound -> bound - 1));

  NearestChoosingTest() {
    far.role = ServerRole.PRIMARY;
    far.member.asPrimary();
    near.member.asReplicaOf(URI.create(far.url));
    other.member.asReplicaOf(URI.create(far.url));
  }

  private Member member(String url) {
    Member member = members.get(url);
    if (member == null) {
      throw new IllegalArgumentException(url);
    }
    return member;
  }

  private void read(int times) {
    for (int i = 0; i < times; i++) {
      Answer<?> answer = client.query(CallContext.ANONYMOUS.with(Routing.REFER), ROOT);
      assertThat(answer).isNotNull();
    }
  }

  private void write() {
    CallContext call = CallContext.ANONYMOUS.with(Routing.REFER).with(RequestId.random());
    AddRequest request = AddRequest.of(NewEntry.directory(Target.of("/" + added++)));
    assertThat(client.add(call, request).value().get(0).orThrow()).isNotNull();
  }

  private List<Integer> calls() {
    return List.of(far.calls, near.calls, other.calls);
  }

  @Test
  void theNamedServerTellsOfTheOthersAndTheNearestIsAskedFromThenOn() {
    read(10);
    assertThat(calls()).containsExactly(1, 9, 0);
    write();
    write();
    assertThat(calls()).as("at once at the primary, without a referral").containsExactly(3, 9, 0);
  }

  @Test
  void theNextOneIsAskedWhenTheNearestFailsAndTheNearestAgainWhenItIsBack() {
    read(10);
    near.up = false;
    read(10);
    assertThat(calls()).as("one found out").containsExactly(1, 10, 10);
    ticker.pass(1_500 * MILLI);
    read(10);
    assertThat(calls()).as("one tried it, whose rest is doubled").containsExactly(1, 11, 20);
    assertThat(near.nanosLeft).as("in little time").isLessThanOrEqualTo(Duration.ofSeconds(2).toNanos());
    near.up = true;
    ticker.pass(900 * MILLI);
    read(5);
    assertThat(calls()).as("its rest lasts").containsExactly(1, 11, 25);
    ticker.pass(2_100 * MILLI);
    read(5);
    assertThat(calls()).containsExactly(1, 16, 25);
  }

  @Test
  void whoIsSaidToBeDownIsNotEvenTried() {
    near.role = ServerRole.OUT;
    read(10);
    assertThat(calls()).containsExactly(1, 0, 9);
    near.role = ServerRole.REPLICA;
    ticker.pass(10_000 * MILLI);
    read(10);
    assertThat(calls()).as("the first of them asked for news").containsExactly(1, 9, 10);
  }

  @Test
  void whenAllOfThemAreDownTheCallIsRepeatedUntilOneIsBack() {
    read(1);
    members.values().forEach(member -> member.up = false);
    near.nanosPerCall = 100 * MILLI;
    int before = far.calls;
    RnsError error = null;
    try {
      read(1);
    } catch (RnsException e) {
      error = e.error();
    }
    assertThat(error).isEqualTo(RnsError.UNAVAILABLE);
    assertThat(far.calls).as("all are tried again and again").isGreaterThan(before + 1);
    members.values().forEach(member -> member.up = true);
    read(1);
  }

  @Test
  void aReadThatMustSeeWhatWasSeenGoesToWhoHasIt() {
    read(1);
    near.lagMillis = 300;
    keeper.doubt();
    read(1);
    Position seen = new Position(0, 1, 7);
    other.position = seen;
    keeper.doubt();
    read(1);
    int[] before = {far.calls, near.calls, other.calls};
    for (int i = 0; i < 5; i++) {
      client.query(CallContext.ANONYMOUS.with(Routing.REFER).withSeen(seen), ROOT);
    }
    assertThat(near.calls).as("it lags too much").isEqualTo(before[1]);
    assertThat(other.calls).isEqualTo(before[2] + 5);
    ticker.pass(300 * MILLI);
    client.query(CallContext.ANONYMOUS.with(Routing.REFER).withSeen(seen), ROOT);
    assertThat(near.calls).as("what was seen has come there").isEqualTo(before[1] + 1);
  }

  @Test
  void aWriteFindsTheNewPrimaryAfterAFailover() {
    read(2);
    write();
    far.up = false;
    far.role = ServerRole.OUT;
    other.role = ServerRole.PRIMARY;
    other.member.asPrimary();
    near.member.asReplicaOf(URI.create(other.url));
    write();
    assertThat(other.calls).as("a replica referred to it").isEqualTo(1);
    int before = near.calls + far.calls;
    write();
    write();
    assertThat(other.calls).isEqualTo(3);
    assertThat(near.calls + far.calls).as("known from then on").isEqualTo(before);
  }

  @Test
  void equallyNearServersShareTheReadsByTheirSpeed() {
    List<Member> replicas = new ArrayList<>(List.of(near));
    for (int i = 0; i < 3; i++) {
      replicas.add(new Member("near" + i, "eu/a"));
    }
    near.nanosPerCall = 20 * MILLI;
    read(400);
    assertThat(near.calls).as("the slow one").isLessThan(60);
    assertThat(replicas.subList(1, 4)).allSatisfy(member -> assertThat(member.calls).isGreaterThan(60));
    assertThat(other.calls).isZero();
  }

  @Test
  void saysWhoComesWhenAndWhyAndForgetsOnDemand() {
    assertThat(choosing.choices(false)).singleElement().extracting(Choice::reason).asString().startsWith("named");
    read(2);
    List<Choice> reads = choosing.choices(false);
    assertThat(reads).extracting(choice -> choice.server().url()).containsExactly(near.url, other.url, far.url);
    assertThat(reads.get(0).reason()).isEqualTo("same site; round trip 1.0 ms, load 0 %");
    assertThat(reads.get(1).reason()).isEqualTo("1 level away; not measured");
    assertThat(choosing.choices(true).get(0).server().url()).isEqualTo(far.url);
    other.up = false;
    choosing.refresh();
    List<Choice> after = choosing.choices(false);
    assertThat(after).extracting(choice -> choice.server().url()).containsExactly(near.url, far.url, other.url);
    assertThat(after.get(1).reason()).startsWith("2 levels away; round trip");
    assertThat(after.get(2).reason()).startsWith("failed ");
  }

  @Test
  void theNumberOfServersThatGetAShareOfTheTimeIsThatOfTheKnownOnes() {
    assertThat(choosing.size()).isEqualTo(1);
    read(1);
    assertThat(choosing.size()).isEqualTo(3);
  }
}
