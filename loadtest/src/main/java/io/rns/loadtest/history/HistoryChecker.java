package io.rns.loadtest.history;

import io.rns.api.Position;
import io.rns.loadtest.history.DrillEvent.Claim;
import io.rns.loadtest.history.DrillEvent.FailedRead;
import io.rns.loadtest.history.DrillEvent.Read;
import io.rns.loadtest.history.DrillEvent.Refused;
import io.rns.loadtest.history.DrillEvent.Unknown;
import io.rns.loadtest.history.DrillEvent.WatchedChange;
import io.rns.loadtest.history.DrillEvent.Window;
import io.rns.loadtest.history.DrillEvent.Write;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds every breach of a {@link Promise} in a history. There is one method for each promise; it returns a description
 * of each breach.
 */
public final class HistoryChecker {
  /** Before, no client gives up: what it then reports is an answer. */
  private static final Duration SHORTEST_DEADLINE = Duration.ofSeconds(5);

  private final History history;
  private final List<Write> writes;
  private final List<Write> acknowledged;
  private final List<Read> reads;
  private final List<WatchedChange> changes;
  private final WritesByPath byPath;
  private final Map<String, Map<String, Long>> trees;
  private final Position end;

  private HistoryChecker(History history) {
    this.history = history;
    writes = history.all(Write.class);
    acknowledged = writes.stream().filter(Write::isAcknowledged).toList();
    reads = history.all(Read.class);
    changes = history.all(WatchedChange.class);
    byPath = new WritesByPath(writes);
    trees = history.ending().trees();
    end = history.ending().position();
  }

  /** The breaches, in the order of the promises; empty if all were kept. */
  public static List<Violation> check(History history) {
    HistoryChecker checker = new HistoryChecker(history);
    List<Violation> found = new ArrayList<>();
    for (Promise promise : Promise.values()) {
      checker.breaches(promise).forEach(what -> found.add(new Violation(promise, what)));
    }
    return found;
  }

  private Collection<String> breaches(Promise promise) {
    return switch (promise) {
      case NOTHING_LOST -> nothingLost();
      case APPLIED_ONCE -> appliedOnce();
      case HONEST_REFUSALS -> honestRefusals();
      case READ_YOUR_WRITES -> readYourWrites();
      case MONOTONIC_READS -> monotonicReads();
      case BOUNDED_AGE -> boundedAge();
      case WATCH_COMPLETE -> watchComplete();
      case ONE_PRIMARY -> onePrimary();
      case NO_FAILURE -> failures(history, false);
    };
  }

  /** The final trees of all servers, and the watched log, have what clients know. */
  private Collection<String> nothingLost() {
    Map<String, String> lost = new LinkedHashMap<>(); // by path, so that an entry is reported once
    for (String path : byPath.paths()) {
      byPath.lastAcknowledged(path, write -> true).ifPresent(last -> {
        String without = serversWithout(last);
        if (!without.isEmpty()) {
          lost.put(path, known(last) + "; at the end " + without);
        }
      });
    }
    Map<Long, WatchedChange> log = new HashMap<>();
    changes.forEach(change -> log.putIfAbsent(change.position().sequence(), change));
    for (Write write : acknowledged) {
      contradiction(log.get(write.sequence()), write.path(), write.sequence())
          .ifPresent(other -> lost.putIfAbsent(write.path(), known(write) + other));
    }
    for (Read read : reads) {
      long version = read.version().orElse(0);
      contradiction(log.get(version), read.path(), version)
          .ifPresent(other -> lost.putIfAbsent(read.path(), read + other));
    }
    return lost.values();
  }

  private static String known(Write write) {
    return write + " was acknowledged at " + write.position();
  }

  private String serversWithout(Write last) {
    List<String> without = new ArrayList<>();
    trees.forEach((server, tree) -> {
      long version = tree.getOrDefault(last.path(), 0L);
      if (!byPath.reflects(last, version, Long.MAX_VALUE)) {
        without.add(server + " has " + (version == 0 ? "no entry" : "version " + version));
      }
    });
    return String.join(", ", without);
  }

  /** Why the log, with its change of a number, contradicts that the number stands for a change at a path. */
  private Optional<String> contradiction(@Nullable WatchedChange change, String path, long sequence) {
    if (sequence > end.sequence()) {
      return Optional.of(", but the log ends at " + end.sequence());
    }
    return change == null || change.path().equals(path) ? Optional.empty()
        : Optional.of(", but the log has " + change);
  }

  /** By the answers to repetitions, the watched changes, and the final versions. */
  private Collection<String> appliedOnce() {
    Map<String, String> twice = new LinkedHashMap<>(); // by path, so that a request is reported once
    Map<String, Write> answered = new HashMap<>();
    for (Write write : acknowledged) {
      Write first = answered.putIfAbsent(write.requestId(), write);
      if (first != null && first.sequence() != write.sequence()) {
        twice.putIfAbsent(write.path(), known(first) + ", its repetition at " + write.position());
      }
    }
    Set<Long> received = new HashSet<>();
    Map<String, WatchedChange> log = new HashMap<>();
    for (WatchedChange change : changes) {
      // A change that is received twice is a fault of the watch; a request that is applied twice makes two changes.
      if (received.add(change.position().sequence()) && !byPath.of(change.path()).isEmpty()) {
        WatchedChange first = log.putIfAbsent(change.kind() + " " + change.path(), change);
        if (first != null) {
          twice.putIfAbsent(change.path(), "the log has " + first + " and " + change);
        }
      }
    }
    for (String path : byPath.paths()) {
      byPath.lastAcknowledged(path, write -> true)
          .filter(last -> !byPath.hasOpenRequests(path))
          .ifPresent(last -> trees.forEach((server, tree) -> {
            if (tree.getOrDefault(path, 0L) > last.sequence()) {
              twice.putIfAbsent(
                  path, last + ", the last of its path, but " + server + " has version " + tree.get(path));
            }
          }));
    }
    return twice.values();
  }

  private Collection<String> honestRefusals() {
    Set<String> log =
        changes.stream().map(change -> change.kind() + " " + change.path()).collect(Collectors.toSet());
    List<String> found = new ArrayList<>();
    for (Write write : writes) {
      if (write.outcome() instanceof Refused refused) {
        String what = write + " was refused with " + refused.code() + " (" + refused.message() + ")";
        if (!refused.code().equals("NOT_PRIMARY")) { // the only one that is not by the namespace
          found.add(what);
        } else if (log.contains(write.kind() + " " + write.path()) && byPath.isOnlyRefused(write)) {
          found.add(what + " and yet applied");
        }
      }
    }
    return found;
  }

  private Stream<Read> sessionReads() {
    return reads.stream().filter(Read::isOfSession);
  }

  private Collection<String> readYourWrites() {
    // An answer's position is handed on as a token: it must not claim what the answer has not seen.
    return sessionReads()
        .flatMap(read -> byPath.missedBy(read, write -> write.sequence() <= read.knownSequence()).stream()).toList();
  }

  /** Neither the positions of a session's answers go back, nor what it sees of an entry. */
  private Collection<String> monotonicReads() {
    Map<String, SessionView> sessions = new HashMap<>();
    return sessionReads()
        .flatMap(read -> sessions.computeIfAbsent(read.session(), name -> new SessionView()).wentBack(read, byPath)
            .map(what -> read + ", after the session had " + what).stream())
        .toList();
  }

  /** What a session has seen so far. */
  private static final class SessionView {
    /** The version of an entry that was there and then was not. */
    private static final long GONE = Long.MAX_VALUE;

    private long position;
    private final Map<String, Long> versions = new HashMap<>();

    private Optional<String> wentBack(Read read, WritesByPath byPath) {
      long known = Math.max(position, read.tokenSequence());
      position = Math.max(known, read.position().sequence());
      long seen = versions.getOrDefault(read.path(), 0L);
      long now = read.version().orElse(seen == 0 ? 0 : GONE);
      versions.put(read.path(), Math.max(seen, now));
      if (now < seen) {
        return Optional.of("seen " + (seen == GONE ? "it gone" : "version " + seen));
      }
      if (now == GONE && seen != GONE && !byPath.mayBeRemoved(read.path(), read.answered())) {
        return Optional.of("seen version " + seen + ", without a removal");
      }
      return read.position().sequence() < known ? Optional.of("got to " + known) : Optional.empty();
    }
  }

  private Collection<String> boundedAge() {
    return reads.stream()
        .flatMap(read -> read.bound()
            .flatMap(bound -> byPath.missedBy(read, write -> write.answered() < read.invoked() - bound.toNanos()))
            .stream())
        .toList();
  }

  /** The numbers of the changes of the whole tree have no gap, in the order in which they are received. */
  private Collection<String> watchComplete() {
    List<String> found = new ArrayList<>();
    long last = history.watchedFrom().sequence();
    for (WatchedChange change : changes) {
      long sequence = change.position().sequence();
      if (sequence != last + 1) {
        found.add(change + " was received " + (sequence <= last ? "after " : "right after ") + last);
      }
      last = Math.max(last, sequence);
    }
    if (last < end.sequence()) {
      found.add("nothing was received after " + last + ", the end is " + end);
    }
    return found;
  }

  /** By the numbers and epochs of acknowledged writes, and by the claims of servers. */
  private Collection<String> onePrimary() {
    Map<String, String> found = new LinkedHashMap<>(); // by request, or server and epoch, so that each is reported once
    List<Write> ordered =
        acknowledged.stream()
            .sorted(Comparator.comparingLong(Write::sequence).thenComparingInt(Write::epoch))
            .toList();
    numbersInOrder(ordered, found);
    noneFromFormerEpochs(found);
    oneServerPerEpoch(found);
    return found.values();
  }

  /** A number stands for one request, and an epoch's numbers end where the next epoch's begin. */
  private static void numbersInOrder(List<Write> ordered, Map<String, String> found) {
    Map<Long, Write> first = new HashMap<>();
    Write newest = null;
    for (Write write : ordered) {
      Write other = first.putIfAbsent(write.sequence(), write);
      if (other != null && !other.requestId().equals(write.requestId())) {
        found.putIfAbsent(write.requestId(), known(write) + ", the number of " + known(other));
      }
      if (newest != null && write.epoch() < newest.epoch()) {
        found.putIfAbsent(write.requestId(), known(write) + ", behind " + known(newest));
      } else {
        newest = write;
      }
    }
  }

  /** No server takes a new write in an epoch after a newer one has acknowledged; to repeat a former answer is right. */
  private void noneFromFormerEpochs(Map<String, String> found) {
    Map<Integer, Write> earliest = new HashMap<>();
    for (Write write : acknowledged) {
      earliest.merge(write.epoch(), write, (a, b) -> a.answered() <= b.answered() ? a : b);
    }
    for (Write write : acknowledged) {
      earliest.values().stream()
          .filter(other -> !write.repetition() && other.epoch() > write.epoch() && other.answered() < write.invoked())
          .findFirst()
          .ifPresent(other -> found.putIfAbsent(write.requestId(), known(write) + ", begun after " + known(other)));
    }
  }

  private void oneServerPerEpoch(Map<String, String> found) {
    List<Claim> claims = new ArrayList<>(history.all(Claim.class));
    for (Write write : acknowledged) {
      if (!write.repetition()) {
        write.directly().ifPresent(server -> claims.add(new Claim(server, write.epoch(), write.answered())));
      }
    }
    Map<Integer, Claim> first = new HashMap<>();
    for (Claim claim : claims) {
      Claim other = first.putIfAbsent(claim.epoch(), claim);
      if (other != null && !other.server().equals(claim.server())) {
        found.putIfAbsent(
            claim.server() + " " + claim.epoch(),
            "in epoch " + claim.epoch() + " both " + other.server() + " (" + DrillEvent.at(other.at()) + ") and "
                + claim.server() + " (" + DrillEvent.at(claim.at()) + ") were the primary");
      }
    }
  }

  /** Requests that clients gave up in a window without failures: no promise says how fast an answer is. */
  public static List<String> slowAnswers(History history) {
    return failures(history, true);
  }

  /** A server that is to take a write itself may say that it is not the primary. */
  private static List<String> failures(History history, boolean slow) {
    List<String> found = new ArrayList<>();
    for (Window window : history.all(Window.class)) {
      for (Write write : history.all(Write.class)) {
        boolean failed = !write.isAcknowledged() && write.directly().isEmpty();
        boolean late = write.outcome() instanceof Unknown && isSlow(write.invoked(), write.answered());
        if (failed && late == slow && window.touches(write.invoked(), write.answered())) {
          found.add(write + " in " + window.what() + ": " + write.outcome());
        }
      }
      for (FailedRead read : history.all(FailedRead.class)) {
        if (window.touches(read.invoked(), read.answered()) && isSlow(read.invoked(), read.answered()) == slow) {
          found.add(read + " in " + window.what());
        }
      }
    }
    return found;
  }

  private static boolean isSlow(long invoked, long answered) {
    return answered - invoked >= SHORTEST_DEADLINE.toNanos();
  }
}
