package io.rns.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.EntryId;
import io.rns.api.ListRequest;
import io.rns.api.ModelNameService;
import io.rns.api.NameService;
import io.rns.api.Position;
import io.rns.api.Positions;
import io.rns.api.QueryRequest;
import io.rns.api.RemoveRequest;
import io.rns.api.RequestId;
import io.rns.api.RnsPath;
import io.rns.api.Routing;
import io.rns.api.Target;
import io.rns.client.call.BoundedNameService;
import io.rns.client.call.Deadline;
import io.rns.client.call.ExchangeFailure;
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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
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
    private int told;
    private long nanosLeft;
    private @Nullable RnsException refusal;
    private Runnable arrival = () -> {};

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
      arrival.run();
      nanosLeft = deadline.nanosLeft();
      ticker.pass(nanosPerCall);
      if (!up) {
        throw new RnsException(RnsError.UNAVAILABLE, "down", ExchangeFailure.notSent(new IOException("refused")));
      }
      if (keeper.claim()) {
        told++;
        keeper.told(List.of(
            new Referral(RnsPath.ROOT, 1, 30_000, members.values().stream().map(Member::announcement).toList())));
      }
      if (refusal != null) {
        throw refusal;
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
    write("/" + added++);
  }

  private void write(String path) {
    CallContext call = CallContext.ANONYMOUS.with(Routing.REFER).with(RequestId.random());
    AddRequest request = AddRequest.of(NewEntry.directory(Target.of(path)));
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
  void itAsksForNewsSoonWhenServersPassCallsOnToAnotherGroup() {
    read(1);
    ticker.pass(1_000 * MILLI);
    read(1);
    assertThat(told()).as("the reported group answers").isEqualTo(1);
    members.values().forEach(member -> member.position = new Position(9, 1, 0));
    keeper.doubt();
    read(1);
    assertThat(told()).isEqualTo(2);
    ticker.pass(1_000 * MILLI);
    read(2);
    assertThat(told()).as("another than the reported one answers").isEqualTo(3);
  }

  private int told() {
    return members.values().stream().mapToInt(member -> member.told).sum();
  }

  @Test
  void whatWasSeenOfAnotherGroupKeepsNoReadFromTheNearestServer() {
    read(1);
    near.lagMillis = 300;
    keeper.doubt();
    read(1);
    CallContext call = CallContext.ANONYMOUS.with(Routing.REFER).withSeen(new Position(9, 1, 7));
    int before = near.calls;
    client.query(call, ROOT);
    assertThat(near.calls).isEqualTo(before + 1);
    Positions both = call.seen().with(new Position(0, 1, 7));
    client.query(call.withSeen(both), ROOT);
    assertThat(near.calls).as("it lacks what was seen of its own group").isEqualTo(before + 1);
    ticker.pass(300 * MILLI);
    client.query(call.withSeen(both.with(new Position(9, 1, 8))), ROOT);
    assertThat(near.calls).as("news of another group does not matter").isEqualTo(before + 2);
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
    assertThat(choosing.choices(RnsPath.ROOT, false)).singleElement().extracting(Choice::reason).asString()
        .startsWith("named");
    read(2);
    List<Choice> reads = choosing.choices(RnsPath.ROOT, false);
    assertThat(reads).extracting(choice -> choice.server().url()).containsExactly(near.url, other.url, far.url);
    assertThat(reads.get(0).reason()).isEqualTo("same site; round trip 1.0 ms, load 0 %");
    assertThat(reads.get(1).reason()).isEqualTo("1 level away; not measured");
    assertThat(choosing.choices(RnsPath.ROOT, true).get(0).server().url()).isEqualTo(far.url);
    other.up = false;
    choosing.refresh();
    List<Choice> after = choosing.choices(RnsPath.ROOT, false);
    assertThat(after).extracting(choice -> choice.server().url()).containsExactly(near.url, far.url, other.url);
    assertThat(after.get(1).reason()).startsWith("2 levels away; round trip");
    assertThat(after.get(2).reason()).startsWith("failed ");
  }

  @Test
  void theNumberOfServersThatGetAShareOfTheTimeIsThatOfTheKnownOnes() {
    assertThat(choosing.size(RnsPath.ROOT)).isEqualTo(1);
    read(1);
    assertThat(choosing.size(RnsPath.ROOT)).isEqualTo(3);
  }

  private void read(String... paths) {
    Target[] targets = Stream.of(paths).map(Target::of).toArray(Target[]::new);
    assertThat(client.query(CallContext.ANONYMOUS.with(Routing.REFER), QueryRequest.of(targets))).isNotNull();
  }

  private int callsOfOther(Runnable call) {
    int before = other.calls;
    call.run();
    return other.calls - before;
  }

  @Test
  void aCallGoesToTheServersOfTheNarrowestPartThatAllOfItIsIn() {
    read(1);
    keeper.told(List.of(new Referral(RnsPath.parse("/sub"), 1, 20_000, List.of(other.announcement()))));
    assertThat(callsOfOther(() -> read("/sub"))).as("its entry is in the part above").isZero();
    assertThat(callsOfOther(() -> read("/sub/a/b"))).isEqualTo(1);
    assertThat(callsOfOther(() -> read("/sub/a", "/sub/b"))).isEqualTo(1);
    assertThat(callsOfOther(() -> read("/subway"))).isZero();
    assertThat(callsOfOther(() -> read("/sub/a", "/b"))).isZero();
    assertThat(callsOfOther(
        () -> client.query(CallContext.ANONYMOUS.with(Routing.REFER), QueryRequest.of(Target.of(EntryId.ROOT)))))
        .isZero();
    assertThat(
        callsOfOther(() -> client.list(CallContext.ANONYMOUS.with(Routing.REFER), ListRequest.of(Target.of("/sub")))))
        .isEqualTo(1);
    ticker.pass(20_000 * MILLI);
    assertThat(callsOfOther(() -> read("/sub/a"))).as("what was told has ended").isZero();
  }

  @Test
  void inAPartOnlyWhatWasSeenOfItsOwnGroupCounts() {
    read(1);
    far.position = new Position(2, 1, 9);
    near.position = new Position(2, 1, 3);
    near.lagMillis = 5_000;
    keeper.told(List.of(
        new Referral(RnsPath.parse("/sub"), 1, 20_000, List.of(far.announcement(), near.announcement()))));
    int before = near.calls;
    CallContext call = CallContext.ANONYMOUS.with(Routing.REFER).withSeen(new Position(0, 1, 99));
    QueryRequest inPart = QueryRequest.of(Target.of("/sub/a"));
    assertThat(client.query(call, inPart).value()).hasSize(1);
    assertThat(near.calls).as("nothing of its group was seen").isEqualTo(before + 1);
    assertThat(client.query(call.withSeen(call.seen().with(new Position(2, 1, 4))), inPart).value()).hasSize(1);
    assertThat(near.calls).as("it lacks what was seen of its group").isEqualTo(before + 1);
  }

  @Test
  void thePrimaryIsRememberedForThePartOfTheTree() {
    read(1);
    write();
    other.role = ServerRole.PRIMARY;
    keeper.told(List.of(new Referral(RnsPath.parse("/0"), 1, 20_000, List.of(other.announcement()))));
    other.role = ServerRole.REPLICA;
    write("/0/a");
    assertThat(calls()).as("it refers to the primary").containsExactly(3, 0, 1);
    RemoveRequest request = RemoveRequest.of(RemoveRequest.Removal.of(Target.of("/0/none")));
    CallContext call = CallContext.ANONYMOUS.with(Routing.REFER).with(RequestId.random());
    assertThat(client.remove(call, request).value()).hasSize(1);
    assertThat(calls()).as("known from then on").containsExactly(4, 0, 1);
    write();
    assertThat(calls()).as("another part").containsExactly(5, 0, 1);
    assertThat(client.remove(call.with(RequestId.random()), request).value()).hasSize(1);
    assertThat(calls()).as("and still known").containsExactly(6, 0, 1);
  }

  @Test
  void whoIsTurnedAwayByTheOnlyKnownServerGoesAtOnceToThoseThatItTells() {
    far.refusal = RnsException.busy("full", 700);
    long before = ticker.nanos();
    read(1);
    assertThat(calls()).containsExactly(1, 1, 0);
    assertThat(ticker.nanos() - before).as("without a pause").isEqualTo(2 * MILLI);
  }

  @Test
  void allAreAskedAnewAtOnceAndEachTellsItsNews() {
    read(1);
    List<Integer> before = members.values().stream().map(member -> member.told).toList();
    CountDownLatch asked = new CountDownLatch(3);
    members.values().forEach(
        member -> member.arrival =
            () -> {
              asked.countDown();
              try {
                assertThat(asked.await(60, TimeUnit.SECONDS)).as("all at once").isTrue();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    choosing.refresh();
    assertThat(members.values()).extracting(member -> member.told)
        .isEqualTo(before.stream().map(told -> told + 1).toList());
    assertThat(choosing.choices(RnsPath.ROOT, false)).extracting(Choice::reason)
        .allMatch(reason -> reason.contains("round trip"));
  }

  @Test
  void whoRefusesOrIsFullWhenAskedAnewLives() {
    read(1);
    for (RnsException refusal : List.of(new RnsException(RnsError.NOT_PERMITTED, "no"),
        RnsException.busy("full", 700))) {
      near.up = false;
      read(1);
      assertThat(reason(near)).startsWith("failed");
      near.up = true;
      near.refusal = refusal;
      choosing.refresh();
      assertThat(reason(near)).as(refusal.getMessage()).doesNotContain("failed");
      near.refusal = null;
    }
    near.refusal = new RnsException(RnsError.UNAVAILABLE, "the database is down");
    choosing.refresh();
    assertThat(reason(near)).startsWith("failed");
  }

  @Test
  void aRefusalShowsThatAServerIsBack() {
    read(1);
    near.up = false;
    read(1);
    near.up = true;
    near.refusal = new RnsException(RnsError.NOT_PERMITTED, "no");
    ticker.pass(1_500 * MILLI);
    assertThatThrownBy(() -> read(1)).isInstanceOf(RnsException.class).hasMessage("no");
    assertThat(reason(near)).doesNotContain("failed");
  }

  private String reason(Member member) {
    return choosing.choices(RnsPath.ROOT, false).stream().filter(choice -> choice.server().url().equals(member.url))
        .findFirst()
        .orElseThrow().reason();
  }
}
