package io.rns.server.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.ListRequest;
import io.rns.api.ModelNameService;
import io.rns.api.Outcome;
import io.rns.api.Page;
import io.rns.api.Target;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.server.Eventually;
import io.rns.wire.ReplyForm;
import io.rns.wire.resource.FoundEntry;
import io.rns.wire.resource.SearchRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Searches are bounded in entries, in time, and in how many there are. */
class SearchesTest {
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final ReplyForm FORM = new ReplyForm(false, "http://h/");

  /** The model, whose listings may be held up. */
  private static final class Held extends ModelNameService {
    private final CountDownLatch began = new CountDownLatch(Searches.AT_ONCE);
    private volatile CountDownLatch goOn = new CountDownLatch(0);

    @Override
    @SuppressWarnings("UnsynchronizedOverridesSynchronized") // others may use the service while a listing is held
    public Answer<Outcome<Page>> list(CallContext call, ListRequest request) {
      began.countDown();
      try {
        goOn.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      return super.list(call, request);
    }
  }

  private final Held service = new Held();

  private void fill(int directories) {
    List<NewEntry> entries = new ArrayList<>();
    for (int i = 0; i < directories; i++) {
      entries.add(NewEntry.directory(Target.of("/n" + (100_000 + i))));
      if (entries.size() == 10_000 || i == directories - 1) {
        service.add(CallContext.ANONYMOUS, new AddRequest(entries, false, false));
        entries.clear();
      }
    }
  }

  private static Outcome<FoundEntries> search(Searches searches, String query) {
    return search(searches, query, "");
  }

  private static Outcome<FoundEntries> search(Searches searches, String query, String origin) {
    SearchRequest request = new SearchRequest(Target.ROOT, Optional.empty(), query);
    return searches.search(CallContext.ANONYMOUS.from(origin), request, FORM).value();
  }

  private static void assertRefused(Searches searches, String query, RnsError error) {
    assertThatThrownBy(() -> search(searches, query))
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(error));
  }

  @Test
  void whatWasFoundIsAnsweredWhenManyHaveBeenLookedAt() {
    fill(Searches.LOOKED_AT + 2);
    Searches searches = new Searches(service, LONG, LONG);
    FoundEntries first = search(searches, "/*[@entry-name = ('n100000', 'n110001')]").orThrow();
    assertThat(first.entries()).extracting(FoundEntry::name).containsExactly("n100000");
    assertThat(first.next().orElseThrow().after()).hasToString("n109999");
    FoundEntries last = search(searches, "/*[@entry-name = 'n110001']").orThrow();
    assertThat(last.entries()).as("nothing is no answer as long as there may be something").hasSize(1);
    assertThat(last.next()).isEmpty();
    assertThat(search(searches, "()").orThrow().entries()).isEmpty();
  }

  @Test
  void timeIsBounded() {
    fill(3);
    assertRefused(new Searches(service, Duration.ZERO, LONG), "/*", RnsError.LIMIT_EXCEEDED);
  }

  @Test
  void onlyAFewSearchAtOnce() throws InterruptedException {
    fill(3);
    Searches searches = new Searches(service, LONG, Duration.ZERO);
    service.goOn = new CountDownLatch(1);
    List<Thread> busy = new ArrayList<>();
    for (int i = 0; i < Searches.AT_ONCE; i++) {
      String origin = "client " + i;
      busy.add(Thread.ofPlatform().start(() -> search(searches, "/*", origin)));
    }
    service.began.await();
    assertRefused(searches, "/*", RnsError.BUSY);
    service.goOn.countDown();
    for (Thread thread : busy) {
      thread.join();
    }
    assertThat(search(searches, "/*").orThrow().entries()).hasSize(3);
  }

  @Test
  void oneCallerLeavesASearchToOthers() throws Exception {
    fill(3);
    Searches searches = new Searches(service, LONG, Duration.ZERO);
    service.goOn = new CountDownLatch(1);
    List<Thread> busy = new ArrayList<>();
    for (int i = 0; i < Searches.AT_ONCE - 1; i++) {
      busy.add(Thread.ofPlatform().start(() -> search(searches, "/*", "a")));
    }
    Eventually.until("all but one search", LONG, () -> service.began.getCount() == 1);
    assertThatThrownBy(() -> search(searches, "/*", "a"))
        .hasMessageContaining("this caller searches 2 times already, which is its own limit")
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.retryMillis()).isPresent());
    busy.add(Thread.ofPlatform().start(() -> search(searches, "/*", "b")));
    service.began.await();
    service.goOn.countDown();
    for (Thread thread : busy) {
      thread.join();
    }
  }

  @Test
  void aSearchThatFailsMakesRoom() {
    fill(3);
    Searches searches = new Searches(service, LONG, Duration.ZERO);
    for (int i = 0; i <= Searches.AT_ONCE; i++) {
      assertRefused(searches, "doc('x')", RnsError.INVALID_REQUEST);
      assertRefused(searches, "1", RnsError.INVALID_REQUEST);
    }
    assertThat(search(searches, "/*").orThrow().entries()).hasSize(3);
  }
}
