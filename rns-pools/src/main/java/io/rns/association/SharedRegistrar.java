package io.rns.association;

import io.rns.registrar.Answered;
import io.rns.registrar.Effect;
import io.rns.registrar.LocalCaller;
import io.rns.registrar.Registrar;
import io.rns.rserpool.Message;
import io.rns.rserpool.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;

/**
 * A registrar with which the thread of the connections and callers in this process take turns: who calls does the work
 * himself, so that nobody waits for another thread to wake up. Safe for use by many threads.
 */
final class SharedRegistrar {
  private final ReentrantLock turn = new ReentrantLock();
  private final Registrar registrar;
  private final RunningTime time;
  private final Runnable wake;

  /** What calls have brought about and the thread of the connections has not taken yet. */
  private List<Effect> handedOver = new ArrayList<>();

  /** When the thread of the connections means to look at the timers again. */
  private long planned = Long.MIN_VALUE;

  /**
   * One that was not started.
   *
   * @param clock milliseconds
   * @param wake gets the thread of the connections to call {@link #due}
   */
  SharedRegistrar(Registrar registrar, LongSupplier clock, Runnable wake) {
    this.registrar = registrar;
    this.time = new RunningTime(clock);
    this.wake = wake;
  }

  /** Begins, before the thread of the connections does. */
  void start() {
    turn.lock();
    try {
      handedOver.addAll(registrar.start(time.millis()));
      time.due(registrar.nextTimerMillis());
    } finally {
      turn.unlock();
    }
  }

  /** A message came; what is to be done. */
  List<Effect> received(long connection, Message message) {
    return effects(now -> registrar.received(connection, message, now));
  }

  /** A connection is closed; what is to be done. */
  List<Effect> closed(long connection) {
    return effects(now -> registrar.closed(connection, now));
  }

  /** Nobody listens at a place; what is to be done. */
  List<Effect> refused(Transport place) {
    return effects(now -> registrar.refused(place, now));
  }

  /** What is to be done because it is due, or because of calls. */
  List<Effect> due() {
    return effects(now -> registrar.nextTimerMillis() <= now ? registrar.run(now) : List.of());
  }

  /** How long {@link #due} has nothing to do unless it wakes, in milliseconds; may be 0 or below. */
  long plan() {
    turn.lock();
    try {
      planned = registrar.nextTimerMillis();
      long now = time.millis();
      return planned == Long.MAX_VALUE ? Long.MAX_VALUE : planned - now;
    } finally {
      turn.unlock();
    }
  }

  /** Those of calls come first, since they happened first. */
  private List<Effect> effects(LongFunction<List<Effect>> step) {
    turn.lock();
    try {
      List<Effect> own = step.apply(time.millis());
      time.due(registrar.nextTimerMillis());
      if (handedOver.isEmpty()) {
        return own;
      }
      List<Effect> all = handedOver;
      handedOver = new ArrayList<>();
      all.addAll(own);
      return all;
    } finally {
      turn.unlock();
    }
  }

  /** Reads what is known, in this thread. */
  <T> T look(Function<Registrar, T> question) {
    turn.lock();
    try {
      return question.apply(registrar);
    } finally {
      turn.unlock();
    }
  }

  /**
   * Has somebody ask, in this thread.
   *
   * @param question asks; what it throws is thrown
   * @throws TimeoutException if it was not his turn for so long
   */
  <T> T ask(Function<LocalCaller, T> question, long patienceMillis) throws InterruptedException, TimeoutException {
    if (!turn.tryLock(patienceMillis, TimeUnit.MILLISECONDS)) {
      throw new TimeoutException("the registrar was busy for " + patienceMillis + " ms");
    }
    try {
      Answered<T> answered = registrar.asked(question, time.millis());
      handedOver.addAll(answered.effects());
      return answered.answer();
    } finally {
      long next = registrar.nextTimerMillis();
      time.due(next);
      boolean isNews = !handedOver.isEmpty() || next < planned;
      planned = isNews ? Long.MIN_VALUE : planned;
      turn.unlock();
      if (isNews) {
        wake.run();
      }
    }
  }
}
