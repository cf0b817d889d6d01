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
 * A registrar shared by the connection thread and callers in this process. The calling thread does the work itself, so
 * no thread waits for another to wake up. Thread-safe.
 */
final class SharedRegistrar {
  private final ReentrantLock turn = new ReentrantLock();
  private final Registrar registrar;
  private final RunningTime time;
  private final Runnable wake;

  /** Effects of local calls that the connection thread has not taken yet. */
  private List<Effect> handedOver = new ArrayList<>();

  /** When the connection thread plans to check timers next. */
  private long planned = Long.MIN_VALUE;

  /**
   * A registrar that was not started.
   *
   * @param clock milliseconds
   * @param wake makes the connection thread call {@link #due}
   */
  SharedRegistrar(Registrar registrar, LongSupplier clock, Runnable wake) {
    this.registrar = registrar;
    this.time = new RunningTime(clock);
    this.wake = wake;
  }

  /** Starts the registrar, before the connection thread runs. */
  void start() {
    turn.lock();
    try {
      handedOver.addAll(registrar.start(time.millis()));
      time.due(registrar.nextTimerMillis());
    } finally {
      turn.unlock();
    }
  }

  /** Handles a message and returns the effects. */
  List<Effect> received(long connection, long sender, Message message) {
    return effects(now -> registrar.received(connection, sender, message, now));
  }

  /** Handles a closed connection and returns the effects. */
  List<Effect> closed(long connection) {
    return effects(now -> registrar.closed(connection, now));
  }

  /** Handles a refused connection and returns the effects. */
  List<Effect> refused(Transport place) {
    return effects(now -> registrar.refused(place, now));
  }

  /** Handles an announcement of a place and returns the effects. */
  List<Effect> announced(Transport.Tcp place) {
    return effects(now -> registrar.announced(place, now));
  }

  /** Handles due timers and returns the effects, including those of local calls. */
  List<Effect> due() {
    return effects(now -> registrar.nextTimerMillis() <= now ? registrar.run(now) : List.of());
  }

  /** Milliseconds until {@link #due} has work unless woken earlier; may be 0 or negative. */
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

  /** Effects of local calls come first, since they happened first. */
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

  /** Reads in this thread. */
  <T> T look(Function<Registrar, T> question) {
    turn.lock();
    try {
      return question.apply(registrar);
    } finally {
      turn.unlock();
    }
  }

  /**
   * Runs a call in this thread.
   *
   * @param question the call; its exceptions are passed on
   * @throws TimeoutException if the registrar stays busy for that long
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
