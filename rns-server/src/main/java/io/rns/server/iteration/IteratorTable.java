package io.rns.server.iteration;

import io.rns.api.CallContext;
import io.rns.api.Outcome;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.wire.resource.IterateRequest;
import io.rns.wire.resource.Iterators;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The iterators of one server, by identities that cannot be guessed. An iterator that is not used for {@link #IDLE} is
 * gone, and if there are more than {@link #MOST}, of the caller that has most of them the one that was not used for
 * longest. Thread-safe.
 */
public final class IteratorTable implements Iterators {
  /** How many iterators there are at most: about 10 MiB, with the longest names and queries about 100 MiB. */
  public static final int MOST = 10_000;

  /** How long an iterator lives without being used. */
  public static final Duration IDLE = Duration.ofMinutes(10);

  /** How far ahead the end of an iterator may be set. */
  public static final Duration LONGEST = Duration.ofHours(1);

  private final InstantSource clock;
  private final int most;
  private final Map<String, Integer> held = new HashMap<>();
  /** The one that was not used for longest first. */
  private final LinkedHashMap<String, Live> all = new LinkedHashMap<>(16, 0.75f, true);

  private static final class Live {
    final String account;
    final Iteration iteration;
    volatile Instant ends;
    boolean isEndFixed;

    Live(String account, Iteration iteration, Instant ends) {
      this.account = account;
      this.iteration = iteration;
      this.ends = ends;
    }
  }

  /** An empty table. */
  public IteratorTable(InstantSource clock) {
    this(clock, MOST);
  }

  IteratorTable(InstantSource clock, int most) {
    this.clock = clock;
    this.most = most;
  }

  /**
   * Takes an iterator in and gives it an identity.
   *
   * @param account whose share it takes
   */
  public synchronized String open(String account, Iteration iteration) {
    Instant now = clock.instant();
    Iterator<Live> oldest = all.values().iterator();
    boolean expired = true;
    while (expired && oldest.hasNext()) {
      Live each = oldest.next();
      expired = each.ends.isBefore(now);
      if (expired) {
        oldest.remove();
        release(each);
      }
    }
    if (all.size() >= most) {
      String largest = Collections.max(held.entrySet(), Map.Entry.comparingByValue()).getKey();
      all.entrySet().stream().filter(live -> live.getValue().account.equals(largest)).findFirst()
          .map(Map.Entry::getKey).ifPresent(id -> release(all.remove(id)));
    }
    String id = UUID.randomUUID().toString();
    all.put(id, new Live(account, iteration, now.plus(IDLE)));
    held.merge(account, 1, Integer::sum);
    return id;
  }

  private void release(@Nullable Live removed) {
    if (removed != null) {
      held.computeIfPresent(removed.account, (account, some) -> some == 1 ? null : some - 1);
    }
  }

  /**
   * Goes on with an iterator.
   *
   * @return why it cannot, or the elements
   */
  public Outcome<ElementCursor> pass(IterateRequest request, CallContext call) {
    String id = request.iterator().orElse("");
    Optional<Live> live = use(id);
    return live.isPresent()
        ? live.get().iteration.pass(call, request.startOffset(), request.elementCount())
        : Outcome.refused(Iterators.unknown(id));
  }

  @Override
  public Optional<State> find(String id) {
    return use(id).map(live -> new State(live.iteration.size(), live.ends));
  }

  /** Finds an iterator that is about to be used; empty if it is gone or never was. */
  private synchronized Optional<Live> use(String id) {
    Live live = live(id);
    if (live == null) {
      return Optional.empty();
    }
    if (!live.isEndFixed) {
      live.ends = clock.instant().plus(IDLE);
    }
    return Optional.of(live);
  }

  private @Nullable Live live(String id) {
    Live live = all.get(id);
    if (live != null && live.ends.isBefore(clock.instant())) {
      release(all.remove(id));
      return null;
    }
    return live;
  }

  @Override
  public synchronized boolean end(String id) {
    boolean found = live(id) != null;
    release(all.remove(id));
    return found;
  }

  @Override
  public synchronized boolean endAt(String id, Optional<Instant> time) {
    Live live = live(id);
    if (live == null) {
      return false;
    }
    Instant latest = clock.instant().plus(LONGEST);
    if (time.isEmpty() || time.get().isAfter(latest)) {
      String asked = time.map(Instant::toString).orElse("never");
      throw new RnsException(
          RnsError.LIMIT_EXCEEDED, "an iterator cannot end " + asked + "; the limit is " + latest + ", "
              + LONGEST.toMinutes() + " minutes from now");
    }
    if (time.get().isAfter(clock.instant())) {
      live.ends = time.get();
      live.isEndFixed = true;
    } else {
      release(all.remove(id));
    }
    return true;
  }

  /** How many iterators there are. */
  public synchronized int size() {
    Instant now = clock.instant();
    // Not all at the front: the end of some is fixed.
    all.values().removeIf(each -> {
      boolean expired = each.ends.isBefore(now);
      if (expired) {
        release(each);
      }
      return expired;
    });
    return all.size();
  }
}
