package io.rns.replication;

import io.rns.api.AddRequest;
import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Consistency;
import io.rns.api.Entry;
import io.rns.api.ListRequest;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.Page;
import io.rns.api.Position;
import io.rns.api.Positions;
import io.rns.api.QueryRequest;
import io.rns.api.RemoveRequest;
import io.rns.api.RequestId;
import io.rns.api.Routing;
import io.rns.api.HopStep;
import io.rns.api.SubtreePage;
import io.rns.api.SubtreeRequest;
import io.rns.api.UpdateRequest;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.share.FairPlaces;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The service of a group as one of its servers gives it: reads from the copy beside it where that is enough for the
 * consistency that was asked for, all else from the primary.
 *
 * <p>A write that finds no primary, or one that is just changing, waits for it within a bound: a planned change of the
 * primary costs time, not requests. A read that finds neither a copy nor a primary is refused soon, since another
 * server may have a copy; but not while it may be just such a change that has taken the copy from here.
 */
public final class RoutingNameService implements NameService {
  /**
   * How long a read waits for the copy to catch up before it goes to the primary, or for there to be a copy or a
   * primary.
   */
  public static final Duration CATCH_UP = Duration.ofMillis(500);

  private static final Duration PAUSE = Duration.ofMillis(50);

  /** How many requests may wait for the primary, or for there to be one: bounds the memory that they hold. */
  static final int MOST_WAITING = 4_096;

  private final CurrentRole standings;
  private final Forwarding forwarding;
  private final Duration most;
  private final FairPlaces waiting = new FairPlaces(MOST_WAITING, 1);

  /**
   * A service.
   *
   * @param most how long a request may look for a primary that takes it
   */
  public RoutingNameService(CurrentRole standings, Forwarding forwarding, Duration most) {
    this.standings = standings;
    this.forwarding = forwarding;
    this.most = most;
  }

  private interface Operation<A> {
    Answer<A> on(NameService service, CallContext call);
  }

  @Override
  public Answer<List<Outcome<Entry>>> add(CallContext call, AddRequest request) {
    return write(call, (service, context) -> service.add(context, request));
  }

  @Override
  public Answer<List<Outcome<Entry>>> update(CallContext call, UpdateRequest request) {
    return write(call, (service, context) -> service.update(context, request));
  }

  @Override
  public Answer<List<Outcome<Entry>>> remove(CallContext call, RemoveRequest request) {
    return write(call, (service, context) -> service.remove(context, request));
  }

  @Override
  public Answer<Outcome<Page>> list(CallContext call, ListRequest request) {
    return read(call, (service, context) -> service.list(context, request));
  }

  @Override
  public Answer<Outcome<SubtreePage>> subtree(CallContext call, SubtreeRequest request) {
    return read(call, (service, context) -> service.subtree(context, request));
  }

  @Override
  public Answer<List<Outcome<Entry>>> query(CallContext call, QueryRequest request) {
    return read(call, (service, context) -> service.query(context, request));
  }

  /**
   * Whether a request may have to wait for a commit, for another server, or for the copy to catch up, so that whoever
   * answers it should not be one of a few threads.
   *
   * @param read whether it is nothing but a read
   * @param consistency of the read
   * @param seen what its caller has seen
   */
  public boolean mayWait(boolean read, Consistency consistency, Positions seen) {
    RoleState standing = standings.now();
    if (!read || standing.copy().isEmpty()) {
      return true;
    }
    LocalCopy copy = standing.copy().get();
    return switch (consistency) {
      case Consistency.Any any -> false;
      case Consistency.Session session -> !copy.hasServed(seen);
      case Consistency.Bounded bounded ->
        standing.role() == Role.PRIMARY ? mayLackChanges(copy) : copy.ageMillis() > bounded.age().toMillis();
      case Consistency.Primary primary -> standing.role() != Role.PRIMARY || mayLackChanges(copy);
    };
  }

  /** Whether another server may be the primary by now, so that reads that must see all changes have to wait. */
  private static boolean mayLackChanges(LocalCopy copy) {
    try {
      copy.checkLatest();
      return false;
    } catch (RnsException e) {
      return true;
    }
  }

  // ---- reads

  private <A> Answer<A> read(CallContext call, Operation<A> operation) {
    boolean onlyThere = call.consistency() instanceof Consistency.Primary || call.routing() == Routing.HERE;
    RoleState standing = onlyThere ? standings.now() : withSomethingToRead(call);
    if (standing.role() == Role.PRIMARY && standing.copy().isPresent()) {
      return readOnPrimary(standing.copy().get(), call, operation);
    }
    if (standing.copy().isPresent() && suffices(standing.copy().get(), call)) {
      return operation.on(standing.copy().get(), call);
    }
    call.explain(() -> new HopStep.Primary(standing.copy().isEmpty() ? HopStep.Reason.NO_COPY : reason(call)));
    return readFromPrimary(call, operation);
  }

  /** The standing as soon as there is a copy here, or a primary to ask. */
  private RoleState withSomethingToRead(CallContext call) {
    RoleState standing = standings.now();
    if (hasSomethingToRead(standing)) {
      return standing;
    }
    long until = System.nanoTime() + CATCH_UP.toNanos();
    while (!hasSomethingToRead(standing)) {
      if (System.nanoTime() - until > 0 && !standings.endedToLeadWithin(most)) {
        String reason = standing.reason().isEmpty() ? "no primary is known" : standing.reason();
        throw new RnsException(RnsError.UNAVAILABLE, "this server has nothing to read: " + reason);
      }
      pause(standing, call);
      standing = standings.now();
    }
    return standing;
  }

  private static boolean hasSomethingToRead(RoleState standing) {
    return standing.copy().isPresent() || standing.primary().isPresent();
  }

  private <A> Answer<A> readOnPrimary(LocalCopy copy, CallContext call, Operation<A> operation) {
    try {
      checkOnPrimary(copy, call);
    } catch (RnsException e) {
      if (e.error() != RnsError.NOT_PRIMARY) {
        throw e;
      }
      call.explain(() -> new HopStep.Primary(reason(call)));
      return readFromPrimary(call, operation);
    }
    return operation.on(copy, call);
  }

  /**
   * Has the primary answer a read. If that is this server, its copy is checked first: its writer may be deposed, and
   * another server take writes, before its role changes.
   */
  private <A> Answer<A> readFromPrimary(CallContext call, Operation<A> operation) {
    Operation<A> checked = (service, context) -> {
      if (service instanceof LocalCopy copy) {
        checkOnPrimary(copy, context);
      }
      return operation.on(service, context);
    };
    return onPrimary(call, checked, true);
  }

  /** Checks that the copy of a primary has what the read must see, or soon has. */
  private void checkOnPrimary(LocalCopy copy, CallContext call) {
    switch (call.consistency()) {
      case Consistency.Any any -> {
      }
      case Consistency.Session session -> {
        if (!awaitServed(copy, call)) {
          throw new RnsException(
              RnsError.UNAVAILABLE,
              "position " + call.seen().of(copy.position().group()).orElseThrow()
                  + " has not been reached; this server is at " + copy.position());
        }
      }
      case Consistency.Bounded bounded -> awaitLatest(copy, call);
      case Consistency.Primary primary -> awaitLatest(copy, call);
    }
  }

  /** Waits a little for a primary that has not been able to commit for so long that another one may lead. */
  private void awaitLatest(LocalCopy copy, CallContext call) {
    long until = System.nanoTime() + CATCH_UP.toNanos();
    while (true) {
      try {
        copy.checkLatest();
        return;
      } catch (RnsException e) {
        if (e.error() != RnsError.UNAVAILABLE || System.nanoTime() - until > 0) {
          throw e;
        }
      }
      pause(standings.now(), call);
    }
  }

  /** Whether a replica's copy may answer; waits a little if it soon may. */
  private boolean suffices(LocalCopy copy, CallContext call) {
    return switch (call.consistency()) {
      case Consistency.Any any -> true;
      case Consistency.Session session ->
        standings.isReconnecting() ? copy.hasServed(call.seen()) : awaitServed(copy, call);
      case Consistency.Bounded bounded -> copy.ageMillis() <= bounded.age().toMillis();
      case Consistency.Primary primary -> false;
    };
  }

  private static boolean awaitServed(LocalCopy copy, CallContext call) {
    if (call.explanation().isEmpty() || copy.hasServed(call.seen())) {
      return copy.awaitServed(call.seen(), CATCH_UP);
    }
    Position wanted = call.seen().of(copy.position().group()).orElseThrow();
    long began = System.nanoTime();
    boolean reached = copy.awaitServed(call.seen(), CATCH_UP);
    long micros = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - began);
    call.explain(() -> new HopStep.Waited(wanted, micros, reached));
    return reached;
  }

  /** Why a read is not answered from a copy. */
  private static HopStep.Reason reason(CallContext call) {
    return switch (call.consistency()) {
      case Consistency.Primary primary -> HopStep.Reason.CONSISTENCY;
      case Consistency.Bounded bounded -> HopStep.Reason.AGE;
      case Consistency.Session session -> HopStep.Reason.POSITION;
      case Consistency.Any any -> HopStep.Reason.NO_COPY;
    };
  }

  // ---- what the primary answers

  private <A> Answer<A> write(CallContext call, Operation<A> operation) {
    // With an id it can be asked again when the primary changes in the middle.
    boolean plain = call.requestId().isEmpty() && standings.now().role() != Role.PRIMARY;
    if (standings.now().role() != Role.PRIMARY) {
      call.explain(() -> new HopStep.Primary(HopStep.Reason.WRITE));
    }
    CallContext repeatable = plain ? call.with(RequestId.random()) : call;
    Answer<A> answer = onPrimary(repeatable, operation, repeatable.requestId().isPresent());
    if (call.routing() == Routing.FORWARD) {
      // Who keeps no position reads his write all the same, if he stays with this server.
      standings.now().copy().ifPresent(copy -> copy.awaitServed(Positions.of(answer.position()), CATCH_UP));
    }
    return answer;
  }

  /**
   * Has the primary answer, whoever it is by then.
   *
   * @param repeatable whether it may be asked again when nobody knows what became of it
   */
  private <A> Answer<A> onPrimary(CallContext call, Operation<A> operation, boolean repeatable) {
    long until = System.nanoTime() + most.toNanos();
    while (true) {
      RoleState standing = standings.now();
      RnsException trouble = null;
      standing.primary().ifPresent(forwarding::only);
      try {
        if (standing.role() == Role.PRIMARY && standing.copy().isPresent()) {
          return operation.on(standing.copy().get(), call);
        }
        if (standing.primary().isPresent()) {
          return elsewhere(standing.primary().get(), call, operation);
        }
        if (call.routing() == Routing.HERE && !standings.isPromoting()) {
          throw new RnsException(RnsError.NOT_PRIMARY, "this server is not the primary" + because(standing));
        }
      } catch (RnsException e) {
        if (!isWorthAnotherTry(e, standing, call, repeatable)) {
          throw e;
        }
        trouble = e;
      }
      if (System.nanoTime() - until > 0) {
        throw trouble != null
            ? trouble
            : new RnsException(
                RnsError.UNAVAILABLE,
                "no primary is known after " + most.toMillis() + " ms" + because(standing));
      }
      pause(standing, call);
    }
  }

  private static String because(RoleState standing) {
    return standing.reason().isEmpty() ? "" : ": " + standing.reason();
  }

  private <A> Answer<A> elsewhere(String primary, CallContext call, Operation<A> operation) {
    return switch (call.routing()) {
      case FORWARD -> {
        beginToWait(call);
        try {
          yield operation.on(forwarding.to(primary), call.with(Routing.HERE));
        } finally {
          waiting.giveBack(call.account(), 1);
        }
      }
      case REFER -> new Answer.Referred<>(primary, "the primary is " + primary);
      case HERE -> new Answer.Referred<>(primary, "forwarded to a server that is not the primary; that is " + primary);
    };
  }

  /** Not what callers have to see: that the primary was another one, or, of what can be repeated, that it was away. */
  private boolean isWorthAnotherTry(RnsException e, RoleState asked, CallContext call, boolean repeatable) {
    if (call.routing() == Routing.HERE) {
      return false;
    }
    boolean passing = e.error() == RnsError.UNAVAILABLE || e.error() == RnsError.TIMEOUT;
    // What this server itself cannot do it will not do a moment later, unless it is no longer the one to do it.
    boolean elsewhere = asked.role() != Role.PRIMARY || standings.now().role() != Role.PRIMARY;
    return e.error() == RnsError.NOT_PRIMARY || (passing && repeatable && elsewhere);
  }

  private void beginToWait(CallContext call) {
    switch (waiting.tryTake(call.account(), 1)) {
      case TAKEN -> {
      }
      case OWN_LIMIT ->
        throw new RnsException(
            RnsError.BUSY,
            waiting.limit(call.account()) + " requests of this caller wait for the primary already, its own limit");
      case NONE_FREE -> throw new RnsException(RnsError.BUSY, MOST_WAITING + " requests wait for the primary already");
    }
  }

  private void pause(RoleState standing, CallContext call) {
    beginToWait(call);
    try {
      standings.awaitOther(standing, PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RnsException(RnsError.UNAVAILABLE, "the service is stopping", e);
    } finally {
      waiting.giveBack(call.account(), 1);
    }
  }

  @Override
  public void close() {
    forwarding.close();
  }
}
