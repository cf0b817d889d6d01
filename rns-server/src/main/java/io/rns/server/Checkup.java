package io.rns.server;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Asks a server whether it answers, for callers who need to know in time: one question at a time, however many ask, and
 * no longer wait than {@link #BOUND}. Meanwhile the last answer counts, until the question has been open for
 * {@link #STALLED}. Safe for use by many threads.
 */
final class Checkup {
  /** How long a caller waits. */
  static final Duration BOUND = Duration.ofMillis(1_500);

  /** How long a question may be open. */
  static final Duration STALLED = Duration.ofSeconds(5);

  private Question question = new Question();
  private volatile Optional<String> last = Optional.empty();

  Checkup() {
    question.answer.complete(Optional.empty());
  }

  /** A question and when it was asked. */
  private static final class Question {
    private final CompletableFuture<Optional<String>> answer = new CompletableFuture<>();
    private final long asked = System.nanoTime();
  }

  /** Why requests are not answered; empty if they are. */
  Optional<String> trouble(RnsServer server) {
    Question open = ask(server);
    try {
      return open.answer.get(BOUND.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return System.nanoTime() - open.asked < STALLED.toNanos()
          ? last
          : Optional.of("a query of the root was not answered within " + STALLED.toSeconds() + " s");
    } catch (ExecutionException e) {
      return Optional.of("a query of the root failed: " + e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.of("the service is stopping");
    }
  }

  private synchronized Question ask(RnsServer server) {
    if (question.answer.isDone()) {
      Question fresh = new Question();
      question = fresh;
      Thread.ofVirtual().name("health").start(() -> answer(server, fresh));
    }
    return question;
  }

  private void answer(RnsServer server, Question asked) {
    try {
      Optional<String> trouble = server.membership().trouble();
      last = trouble;
      asked.answer.complete(trouble);
    } catch (RuntimeException | Error e) {
      asked.answer.completeExceptionally(e);
    }
  }
}
