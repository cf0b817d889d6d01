package io.rns.cli;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The first answer of several servers to a request that changes nothing: a server that hangs delays it by a second. */
final class FirstAnswer {
  private static final long PATIENCE_MILLIS = 1000;

  private FirstAnswer() {}

  /**
   * Asks the servers in order, at least one: each as soon as one before has failed, or none has answered for a second.
   *
   * @throws RnsException the failure of the last server to fail, if all did; the others as suppressed
   */
  static <T> T of(List<URI> servers, Function<URI, T> request) {
    ExecutorService threads = Executors.newCachedThreadPool(FirstAnswer::daemon);
    try {
      return first(servers, request, new ExecutorCompletionService<>(threads));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RnsException(RnsError.UNAVAILABLE, "interrupted while waiting for an answer", e);
    } finally {
      threads.shutdownNow();
    }
  }

  private static <T> T first(List<URI> servers, Function<URI, T> request, CompletionService<T> answers)
      throws InterruptedException {
    RnsException failure = null;
    int asked = 0;
    for (int failed = 0; failed < servers.size();) {
      if (asked < servers.size()) {
        URI server = servers.get(asked++);
        Future<T> unused = answers.submit(() -> request.apply(server));
      }
      Future<T> answer =
          asked < servers.size() ? answers.poll(PATIENCE_MILLIS, TimeUnit.MILLISECONDS) : answers.take();
      if (answer != null) {
        try {
          return answer.get();
        } catch (ExecutionException e) {
          failure = after(failure, e);
          failed++;
        }
      }
    }
    throw failure == null ? new IllegalStateException("no server") : failure;
  }

  private static RnsException after(@Nullable RnsException before, ExecutionException failure) {
    if (!(failure.getCause() instanceof RnsException cause)) {
      throw new IllegalStateException(failure.getCause());
    }
    if (before != null) {
      cause.addSuppressed(before);
    }
    return cause;
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "rns-first-answer");
    thread.setDaemon(true);
    return thread;
  }
}
