package io.rns.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.EntryName;
import io.rns.api.ListRequest;
import io.rns.api.ModelNameService;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.QueryRequest;
import io.rns.api.RemoveRequest;
import io.rns.api.RequestId;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.client.call.BoundedNameService;
import io.rns.client.call.Deadline;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RetryingNameServiceTest {
  private static final RetryPolicy POLICY =
      new RetryPolicy(5, Duration.ofSeconds(10), Duration.ofMillis(100), Duration.ofMillis(300));
  private static final QueryRequest QUERY = QueryRequest.of(Target.ROOT);
  private static final AddRequest ADD = AddRequest.of(NewEntry.directory(Target.of("/a")));

  private final ManualTicker ticker = new ManualTicker();
  private final Failing failing = new Failing();
  private final NameService service =
      new RetryingNameService(new Repetition(referrals(failing), POLICY, ticker, bound -> bound - 1));

  /** The model behind a list of failures, one per call. */
  private final class Failing implements BoundedNameService {
    private final NameService model = new Interposed(new ModelNameService(), request -> fail());
    private final Deque<RnsError> failures = new ArrayDeque<>();
    private final List<Long> millisLeft = new ArrayList<>();
    private long nanosPerCall;
    private long retryMillis = -1;
    private boolean alwaysBusy;
    private int calls;
    private boolean open = true;

    void with(RnsError... errors) {
      failures.addAll(List.of(errors));
    }

    private void fail() {
      calls++;
      ticker.pass(nanosPerCall);
      RnsError error = alwaysBusy ? RnsError.BUSY : failures.poll();
      if (error == RnsError.BUSY && retryMillis >= 0) {
        throw RnsException.busy("come back", retryMillis);
      }
      if (error != null) {
        throw new RnsException(error, "failure left: " + failures.size());
      }
    }

    @Override
    public NameService until(Deadline deadline) {
      millisLeft.add(deadline.nanosLeft() / 1_000_000);
      return model;
    }

    @Override
    public boolean isOpen() {
      return open;
    }

    @Override
    public void close() {
      open = false;
    }
  }

  private Referrals referrals(BoundedNameService service) {
    return new Referrals(new Servers(List.of(URI.create("http://h/")), uri -> service), ticker);
  }

  @ParameterizedTest
  @EnumSource(RnsError.class)
  void onlyWhatPassesIsRepeated(RnsError error) {
    failing.with(error);
    if (error.kind() == RnsError.Kind.TRANSIENT || error == RnsError.NOT_PRIMARY) {
      assertThat(service.query(CallContext.ANONYMOUS, QUERY).value()).hasSize(1);
    } else {
      assertThatThrownBy(() -> service.query(CallContext.ANONYMOUS, QUERY)).hasMessage("failure left: 0");
    }
  }

  @Test
  void everyReadIsRepeated() {
    failing.with(RnsError.TIMEOUT, RnsError.UNAVAILABLE);
    assertThat(service.query(CallContext.ANONYMOUS, QUERY).value()).hasSize(1);
    failing.with(RnsError.TIMEOUT, RnsError.UNAVAILABLE);
    assertThat(service.list(CallContext.ANONYMOUS, ListRequest.of(Target.ROOT)).value().orThrow().entries()).isEmpty();
  }

  @Test
  void aWriteIsRepeatedOnlyWithARequestId() {
    failing.with(RnsError.TIMEOUT, RnsError.BUSY);
    assertThatThrownBy(() -> service.add(CallContext.ANONYMOUS, ADD)).hasMessage("failure left: 1");

    CallContext call = CallContext.ANONYMOUS.with(RequestId.random());
    assertThat(service.add(call, ADD).value().get(0)).isInstanceOf(Outcome.Done.class);
    failing.with(RnsError.BUSY);
    UpdateRequest update =
        UpdateRequest.of(UpdateRequest.EntryChange.rename(Target.of("/a"), EntryName.of("b")));
    assertThat(service.update(CallContext.ANONYMOUS.with(RequestId.random()), update).value()).hasSize(1);
    failing.with(RnsError.BUSY);
    RemoveRequest remove = RemoveRequest.of(RemoveRequest.Removal.of(Target.of("/b")));
    assertThat(service.remove(CallContext.ANONYMOUS.with(RequestId.random()), remove).value()).hasSize(1);
  }

  @Test
  void attemptsAreBounded() {
    failing.with(RnsError.BUSY, RnsError.BUSY, RnsError.BUSY, RnsError.BUSY, RnsError.BUSY, RnsError.BUSY);
    assertThatThrownBy(() -> service.query(CallContext.ANONYMOUS, QUERY))
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.BUSY))
        .hasMessage("failure left: 1 (attempt 5, after 900 ms)");
  }

  @Test
  void pausesAreRandomBelowABoundThatDoubles() {
    failing.with(RnsError.BUSY, RnsError.BUSY, RnsError.BUSY, RnsError.BUSY);
    assertThat(service.query(CallContext.ANONYMOUS, QUERY).value()).hasSize(1);
    assertThat(ticker.pauses()).containsExactly(100_000_000L, 200_000_000L, 300_000_000L, 300_000_000L);
  }

  @Test
  void aBusyServerIsAskedAgainWhenItSaysSo() {
    failing.retryMillis = 2_000;
    failing.with(RnsError.BUSY, RnsError.BUSY);
    assertThat(service.query(CallContext.ANONYMOUS, QUERY).value()).hasSize(1);
    assertThat(ticker.pauses()).containsExactly(2_100_000_000L, 2_200_000_000L);
    failing.retryMillis = 10_000;
    failing.with(RnsError.BUSY);
    assertThatThrownBy(() -> service.query(CallContext.ANONYMOUS, QUERY))
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.retryMillis()).hasValue(10_000));
    assertThat(ticker.pauses()).hasSize(2);
  }

  @Test
  void theNextServerIsAskedAtOnceWhenOneIsBusy() {
    Failing busy = new Failing();
    busy.alwaysBusy = true;
    busy.retryMillis = 5_000;
    List<URI> places = List.of(URI.create("http://busy/"), URI.create("http://free/"));
    Servers servers = new Servers(places, uri -> uri.getHost().equals("busy") ? busy : failing);
    NameService both =
        new RetryingNameService(new Repetition(new Referrals(servers, ticker), POLICY, ticker, bound -> bound - 1));
    assertThat(both.query(CallContext.ANONYMOUS, QUERY).value()).hasSize(1);
    assertThat(ticker.pauses()).allMatch(pause -> pause == 0);
    assertThat(busy.calls).isOne();
    assertThat(failing.calls).isOne();
    for (int i = 0; i < 10 * Repetition.MOST_RETRIES; i++) {
      assertThat(both.query(CallContext.ANONYMOUS, QUERY).value()).hasSize(1);
    }
    assertThat(busy.calls).as("the client stays with the one that is free").isOne();
  }

  @Test
  void rejectionsDoNotMultiplyTheLoad() {
    failing.alwaysBusy = true;
    failing.retryMillis = 1;
    for (int i = 0; i < 1_000; i++) {
      assertThatThrownBy(() -> service.query(CallContext.ANONYMOUS, QUERY)).isInstanceOf(RnsException.class);
    }
    assertThat(failing.calls).isBetween(1_200, 1_200 + Repetition.MOST_RETRIES);
    failing.alwaysBusy = false;
    for (int i = 0; i < 25 * Repetition.MOST_RETRIES; i++) {
      assertThat(service.query(CallContext.ANONYMOUS, QUERY).value()).hasSize(1);
    }
    failing.calls = 0;
    failing.alwaysBusy = true;
    for (int i = 0; i < 4; i++) {
      assertThatThrownBy(() -> service.query(CallContext.ANONYMOUS, QUERY)).isInstanceOf(RnsException.class);
    }
    assertThat(failing.calls).isEqualTo(20);
  }

  @Test
  void theBoundNeverOverflows() {
    assertThat(POLICY.pauseBound(1_000_000)).isEqualTo(Duration.ofMillis(300).toNanos());
    RetryPolicy slow = new RetryPolicy(9, Duration.ofDays(1), Duration.ofDays(1), Duration.ofDays(2));
    assertThat(slow.pauseBound(40)).isEqualTo(Duration.ofDays(2).toNanos());
  }

  @Test
  void theDeadlineIsOfAllAttempts() {
    failing.nanosPerCall = Duration.ofSeconds(4).toNanos();
    failing.with(RnsError.TIMEOUT, RnsError.TIMEOUT, RnsError.TIMEOUT, RnsError.TIMEOUT);
    assertThatThrownBy(() -> service.query(CallContext.ANONYMOUS, QUERY))
        .hasMessage("failure left: 1 (attempt 3, after 12300 ms)");
    assertThat(failing.millisLeft).containsExactly(10_000L, 5_900L, 1_700L);
  }

  @Test
  void aClosedServiceIsNotAskedAgain() {
    service.close();
    failing.with(RnsError.UNAVAILABLE);
    assertThatThrownBy(() -> service.query(CallContext.ANONYMOUS, QUERY)).hasMessage("failure left: 0");
  }

  @Test
  void anInterruptEndsThePauses() {
    failing.with(RnsError.BUSY);
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> service.query(CallContext.ANONYMOUS, QUERY)).hasMessage("failure left: 0");
    assertThat(Thread.interrupted()).isTrue();
  }
}
