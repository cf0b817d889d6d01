package io.rns.loadtest.peer;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.measure.Failure;
import io.rns.loadtest.measure.FailureKind;
import io.rns.loadtest.measure.Workload;
import io.rns.loadtest.work.Call;
import io.rns.loadtest.work.CallSource;
import io.rns.loadtest.work.Kind;
import io.rns.loadtest.work.Session;
import io.rns.loadtest.work.SessionClient;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * A service that keeps a tree of names and is asked for the same as RNS. Its sessions know the operations
 * {@code query}, {@code list}, {@code add} and {@code mkdir}: a lookup gives the reference of the name, a listing the
 * names of the first page of a directory, each with its reference, and an addition is refused if the name is there. A
 * lookup or listing that gives nothing has failed.
 */
public interface PeerService extends AutoCloseable {
  /** The most entries of a page. */
  int PAGE = 1_000;

  /** A lookup or listing that gave nothing. */
  Failure NOTHING = new Failure(FailureKind.UNEXPECTED_ANSWER, "nothing is there");

  /** What its sessions know; all that is said above unless it keeps no names. */
  default Set<Kind> operations() {
    return EnumSet.of(Kind.QUERY, Kind.LIST, Kind.ADD, Kind.MKDIR);
  }

  /** What it is and how durable its commits are, for a report. */
  String durability();

  /** A connection of its own. */
  Session session();

  /** A workload of clients that each have a session of their own, with the operations of their number, from 0. */
  default Workload workload(String name, int clients, IntFunction<CallSource> calls, Duration timeout) {
    return SessionClient.workload(name, clients, this::session, calls, timeout);
  }

  /** Ends what was started for it. */
  @Override
  default void close() {}

  /** What was asked of a peer that its sessions do not know. */
  static IllegalArgumentException unknown(Call call) {
    return new IllegalArgumentException("peers are not asked for " + call.kind());
  }

  /** Why a peer cannot be had. */
  static RnsException missing(String why, Throwable cause) {
    return new RnsException(RnsError.UNAVAILABLE, why, cause);
  }

  static RnsException missing(String why) {
    return new RnsException(RnsError.UNAVAILABLE, why);
  }
}
