package io.rns.client.pool;

import io.rns.client.call.RetryBudget;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.pool.PoolService;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Calls to a pool: each goes to the element that is to be used next, and to another one if that fails.
 *
 * <p>An element can hand out its state as a <em>cookie</em>. The session keeps the last one, stays with the element
 * that gave it, and hands it to the next element, before the call, if that one fails. An element can also hand out a
 * <em>business card</em>: the elements that take over best, such as those with a copy of its state. A session is for
 * one thread at a time; those of one {@link PoolUser} share what they know.
 */
public final class PoolSession {
  /** The longest cookie, in bytes: the longest message of RSerPool. */
  public static final int COOKIE_BYTES = 65_535;

  private final PoolView view;
  private final UserSettings settings;
  private final RetryBudget budget;
  private final Time time;
  private final RandomGenerator random;
  private final CookieEcho echo;
  private byte @Nullable [] cookie;
  private @Nullable KnownElement keeper;
  private List<Integer> card = List.of();
  private @Nullable KnownElement issuer;
  private @Nullable KnownElement current;

  PoolSession(PoolView view, UserSettings settings, RetryBudget budget, Time time, RandomGenerator random,
      CookieEcho echo) {
    this.view = view;
    this.settings = settings;
    this.budget = budget;
    this.time = time;
    this.random = random;
    this.echo = echo;
  }

  /**
   * One request to one element.
   *
   * @param <T> what it answers
   */
  public interface Call<T> {
    /**
     * Asks the element.
     *
     * @throws ElementBusyException if the element turned it away
     * @throws IOException if the element did not answer: the call is repeated at another one, so throw this only where
     *         that may be done, and something else where not
     */
    T on(Serving element) throws IOException;
  }

  /** Hands the state of a session to an element that takes over. */
  public interface CookieEcho {
    /**
     * Sends it.
     *
     * @throws IOException if the element did not take it: the next one is tried
     */
    void echo(byte[] cookie, Serving element) throws IOException;
  }

  /**
   * Keeps what the element gave, in place of what one gave before. To be called within a {@link Call}.
   *
   * @throws RnsException {@link RnsError#LIMIT_EXCEEDED} if it is longer than {@value #COOKIE_BYTES} bytes
   */
  public void cookie(byte[] given) {
    Limits.check("a cookie", given.length, COOKIE_BYTES, "bytes");
    cookie = given.clone();
    keeper = current;
  }

  /**
   * Keeps which elements the element wants to be replaced by if it fails, in place of what one gave before (RFC 5352,
   * section 2.2.13). To be called within a {@link Call}. Elements that the last resolution lacks are left out, see
   * {@link PoolUser.Builder#items}; those that have failed have their turn like any other.
   *
   * @param ids of elements of the same pool, the best first; empty for none
   * @throws RnsException {@link RnsError#LIMIT_EXCEEDED} if there are more than {@value PoolService#RESOLUTION_ITEMS}
   */
  public void businessCard(List<Integer> ids) {
    Limits.check("a business card", ids.size(), PoolService.RESOLUTION_ITEMS, "elements");
    card = List.copyOf(ids);
    issuer = current;
  }

  /**
   * Calls an element. One that does not answer is reported, and the next is called; behind the last the pool is
   * resolved again, after a random pause. Bounded by time, by rounds, and by a budget: a fifth of the calls may be
   * repeated, and ten in reserve.
   *
   * @throws ElementBusyException if the last element that was tried turned the call away
   * @throws IOException if the last one did not answer
   * @throws RnsException {@link RnsError#NO_SUCH_POOL}, {@link RnsError#BUSY} if no element could be selected, or what
   *         kept from resolving the pool
   */
  public <T> T call(Call<T> call) throws IOException {
    budget.earn();
    view.counts().calls.increment();
    long deadline = time.millis() + settings.deadlineMillis();
    Failures failures = new Failures();
    for (int round = 1;; round++) {
      for (KnownElement element : candidates(failures)) {
        if (failures.isAny()) {
          if (!budget.take()) {
            throw failures.last();
          }
          view.counts().failovers.increment();
        }
        try {
          return attempt(element, call);
        } catch (IOException e) {
          failures.add(e);
          if (Thread.currentThread().isInterrupted()) {
            throw failures.last();
          }
        }
      }
      pause(round, deadline, failures);
      view.forget();
    }
  }

  /** The elements to call; empty if none can be selected now. */
  private List<KnownElement> candidates(Failures failures) throws IOException {
    try {
      return inTurn(view.order());
    } catch (RnsException e) {
      if (e.error() == RnsError.BUSY) {
        failures.none(e);
        return List.of();
      }
      if (failures.isAny()) {
        throw failures.last(e);
      }
      throw e;
    }
  }

  /** The keeper of this session's state first; behind the first one, or in place of a failed one, those of the card. */
  private List<KnownElement> inTurn(List<KnownElement> order) {
    KnownElement kept = keeper;
    KnownElement gave = issuer;
    boolean isKept = cookie != null && kept != null && !kept.hasFailed();
    if (!isKept && card.isEmpty()) {
      return order;
    }
    List<KnownElement> turn = new ArrayList<>(order);
    if (isKept && kept != null) {
      turn.remove(kept);
      turn.add(0, kept);
    }
    if (!card.isEmpty() && gave != null && !turn.isEmpty()) {
      turn.subList(gave.hasFailed() && !isKept ? 0 : 1, turn.size()).sort(Comparator.comparingInt(this::rankOnCard));
    }
    return turn;
  }

  /** Elements that are not on it stay in their order behind the others. */
  private int rankOnCard(KnownElement element) {
    int rank = card.indexOf(element.id());
    return rank < 0 || element.hasFailed() ? card.size() : rank;
  }

  private <T> T attempt(KnownElement element, Call<T> call) throws IOException {
    Serving serving = view.began(element);
    long began = time.millis();
    boolean told = false;
    current = element;
    try {
      byte[] state = cookie;
      if (state != null && !element.equals(keeper)) {
        echo.echo(state.clone(), serving);
        keeper = element;
      }
      T value = call.on(serving);
      told = true;
      view.answered(element, time.millis() - began);
      return value;
    } catch (ElementBusyException e) {
      told = true;
      view.rejected(element, e.retryAfter().toMillis());
      throw e;
    } catch (IOException e) {
      told = true;
      view.failed(element);
      throw e;
    } finally {
      current = null;
      if (!told) {
        view.ended(element);
      }
    }
  }

  private void pause(int round, long deadline, Failures failures) throws IOException {
    long pause = random.nextLong(settings.pauseBound(round) + 1);
    if (round == settings.rounds() || time.millis() + pause >= deadline) {
      throw failures.last();
    }
    try {
      time.pause(pause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failures.last();
    }
  }

  /** What went wrong so far in one call. */
  private static final class Failures {
    private @Nullable IOException last;
    private @Nullable RnsException none;

    boolean isAny() {
      return last != null;
    }

    void add(IOException failure) {
      // An element may throw the very same exception again, which cannot suppress itself.
      if (last != null && !failure.equals(last)) {
        failure.addSuppressed(last);
      }
      last = failure;
    }

    /** No element could be selected. */
    void none(RnsException error) {
      none = error;
    }

    /** What the call ends with: the last failure of an element, or else why there was none. */
    IOException last() {
      if (last != null) {
        return last;
      }
      throw none == null ? new RnsException(RnsError.BUSY, "no element of the pool can be selected now") : none;
    }

    IOException last(RnsException more) {
      IOException ends = last();
      ends.addSuppressed(more);
      return ends;
    }
  }
}
