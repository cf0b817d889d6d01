package io.rns.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.Entry.VirtualDirectory;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Sends random requests to a service and to {@link ModelNameService} and compares the answers. A test of an
 * implementation extends this class and supplies the service. It works in its own directory, but no other client may
 * write meanwhile, because positions are compared too.
 *
 * <p>A failure reports the seed, which reproduces the requests, and the step.
 */
public abstract class RandomOperationsContract {
  private static final int REMEMBERED_WRITES = 8;
  private static final int TREE_STEPS = 20;

  /** The service under test; all calls within a test must refer to the same tree. */
  protected abstract NameService service();

  /** Number of requests per seed. */
  protected int steps() {
    return 400;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void knownSeedsMatchTheModel(long seed) {
    new Run(seed).all(steps());
  }

  /** {@code -Drns.test.seed=SEED} tries others. */
  @Test
  void theGivenSeedMatchesTheModel() {
    new Run(Long.getLong("rns.test.seed", 5)).all(steps());
  }

  /** A write that may be repeated. */
  private record Write(CallContext call, WriteRequest ofModel, WriteRequest ofService) {}

  private final class Run {
    private final long seed;
    private final Random random;
    private final NameService model = new ModelNameService();
    private final NameService actual = service();
    private final RandomRequests requests;
    private final Correspondence correspondence;
    private final Target root;
    private final List<Write> remembered = new ArrayList<>();
    private String current = "";

    Run(long seed) {
      this.seed = seed;
      random = new Random(seed);
      String name = "random-" + UUID.randomUUID();
      Sandbox inModel = Sandbox.named(name, model);
      root = inModel.at();
      correspondence = new Correspondence(inModel.directory(), Sandbox.named(name, actual).directory());
      requests = new RandomRequests(random, root, inModel.directory());
    }

    void all(int steps) {
      for (int step = 0; step < steps; step++) {
        try {
          one();
          if (step % TREE_STEPS == TREE_STEPS - 1) {
            current = "a walk through the tree";
            sameTree(root);
          }
        } catch (RnsException | AssertionError e) {
          throw new AssertionError("seed " + seed + ", step " + step + ", " + current + ": " + e.getMessage(), e);
        }
      }
    }

    private void one() {
      int kind = random.nextInt(10);
      if (kind < 7) {
        write();
      } else if (kind < 9) {
        query();
      } else {
        list();
      }
    }

    private void write() {
      Write write = nextWrite();
      current = write.call() + " " + write.ofModel();
      compare(
          result(() -> apply(model, write.call(), write.ofModel())),
          result(() -> apply(actual, write.call(), write.ofService())));
      if (write.call().requestId().isPresent()) {
        remembered.add(write);
      }
    }

    /** Mostly a new write; sometimes an earlier one, or its request id with another request. */
    private Write nextWrite() {
      if (!remembered.isEmpty() && requests.oneIn(6)) {
        int last = remembered.size() - 1;
        Write before = remembered.get(last - random.nextInt(Math.min(last + 1, REMEMBERED_WRITES)));
        return requests.oneIn(5) ? newWrite(before.call()) : before;
      }
      return newWrite(requests.oneIn(3) ? CallContext.ANONYMOUS.with(RequestId.random()) : CallContext.ANONYMOUS);
    }

    private Write newWrite(CallContext call) {
      WriteRequest request = requests.write();
      return new Write(call, request, correspondence.actual(request));
    }

    private void query() {
      QueryRequest request = requests.query();
      current = request.toString();
      compare(
          result(() -> model.query(CallContext.ANONYMOUS, request)),
          result(() -> actual.query(CallContext.ANONYMOUS, correspondence.actual(request))));
    }

    private void compare(Result<List<Outcome<Entry>>> expected, Result<List<Outcome<Entry>>> found) {
      assertThat(found.error()).as("error of %s", found).isEqualTo(expected.error());
      if (expected.answer().isPresent() && found.answer().isPresent()) {
        List<Outcome<Entry>> outcomes = expected.answer().get().value();
        correspondence.sameAll(outcomes, found.answer().get().value());
        correspondence.same(expected.answer().get().position(), found.answer().get().position());
        outcomes.stream().filter(o -> o instanceof Outcome.Done).forEach(o -> requests.shown(o.orThrow()));
      }
    }

    private void list() {
      ListRequest request = requests.list();
      current = request.toString();
      ListRequest translated = correspondence.actual(request);
      Result<Outcome<Page>> expected = result(() -> model.list(CallContext.ANONYMOUS, request));
      Result<Outcome<Page>> found = result(() -> actual.list(CallContext.ANONYMOUS, translated));
      assertThat(found.error()).as("error of %s", found).isEqualTo(expected.error());
      if (expected.answer().isPresent() && found.answer().isPresent()) {
        Outcome<Page> outcome = expected.answer().get().value();
        assertThat(found.answer().get().value()).hasSameClassAs(outcome);
        if (outcome instanceof Outcome.Done) {
          samePages(request, translated);
        } else {
          compare(
              result(() -> model.query(CallContext.ANONYMOUS, QueryRequest.of(request.directory()))),
              result(() -> actual.query(CallContext.ANONYMOUS, QueryRequest.of(translated.directory()))));
        }
      }
    }

    private void samePages(ListRequest request, ListRequest translated) {
      List<Page> expected = Sandbox.pages(model, request);
      List<Page> found = Sandbox.pages(actual, translated);
      assertThat(found).allSatisfy(page -> assertThat(page.entries()).hasSizeLessThanOrEqualTo(request.pageSize()));
      correspondence.same(expected.get(0).directory(), found.get(0).directory());
      sameEntries(Sandbox.entries(expected), Sandbox.entries(found));
    }

    private void sameEntries(List<Entry> expected, List<Entry> found) {
      assertThat(found.stream().map(Entry::displayName)).containsExactlyElementsOf(names(expected));
      for (int i = 0; i < expected.size(); i++) {
        correspondence.same(expected.get(i), found.get(i));
        requests.shown(expected.get(i));
      }
    }

    /** Compares the whole subtree of a directory, including counts. */
    private void sameTree(Target directory) {
      QueryRequest counted = QueryRequest.of(directory).withCounts();
      compare(
          result(() -> model.query(CallContext.ANONYMOUS, counted)),
          result(() -> actual.query(CallContext.ANONYMOUS, correspondence.actual(counted))));
      ListRequest request = ListRequest.of(directory);
      List<Entry> expected = Sandbox.entries(Sandbox.pages(model, request));
      sameEntries(expected, Sandbox.entries(Sandbox.pages(actual, correspondence.actual(request))));
      for (Entry entry : expected) {
        if (entry instanceof VirtualDirectory below) {
          sameTree(Target.of(below.id()));
        }
      }
    }
  }

  private static List<String> names(List<Entry> entries) {
    return entries.stream().map(Entry::displayName).toList();
  }

  private static Answer<List<Outcome<Entry>>> apply(NameService service, CallContext call, WriteRequest request) {
    if (request instanceof AddRequest add) {
      return service.add(call, add);
    }
    return request instanceof UpdateRequest update
        ? service.update(call, update)
        : service.remove(call, (RemoveRequest) request);
  }

  private record Result<T>(Optional<Answer<T>> answer, Optional<RnsError> error) {}

  private static <T> Result<T> result(Supplier<Answer<T>> request) {
    try {
      return new Result<>(Optional.of(request.get()), Optional.empty());
    } catch (RnsException e) {
      return new Result<>(Optional.empty(), Optional.of(e.error()));
    }
  }
}
