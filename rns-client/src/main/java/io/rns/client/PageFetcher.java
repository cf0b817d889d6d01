package io.rns.client;

import io.rns.api.CallContext;
import io.rns.api.ListRequest;
import io.rns.api.Outcome;
import io.rns.api.Page;
import io.rns.api.Refusal;
import io.rns.api.Target;
import io.rns.client.call.Deadline;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Lists pages for a walk, some of them ahead, on its own threads. Used by one thread. */
final class PageFetcher implements AutoCloseable {
  /** The most pages that wait to be visited or are under way: bounds the memory of a walk. */
  static final int MOST_AHEAD = 32;

  private final TreeWalk.Settings settings;
  private final ThreadPoolExecutor threads;
  private final Deadline deadline;
  private int ahead;

  PageFetcher(TreeWalk.Settings settings) {
    this.settings = settings;
    this.deadline = Deadline.in(settings.deadline, settings.ticker);
    this.threads =
        new ThreadPoolExecutor(
            settings.threads, settings.threads, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), PageFetcher::thread);
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "rns-tree-walk");
    thread.setDaemon(true);
    return thread;
  }

  /** The request for the first page of a directory. */
  ListRequest request(Target directory) {
    return new ListRequest(directory, settings.pageEntries, Optional.empty(), Optional.empty());
  }

  /** Starts to list a page that is needed now. */
  Fetch start(ListRequest request) {
    ahead++;
    Fetch fetch = new Fetch(request);
    threads.execute(fetch);
    return fetch;
  }

  /** Starts to list a page that will be needed, or gives null if enough of them wait. */
  @Nullable
  Fetch startAhead(ListRequest request) {
    return ahead < MOST_AHEAD ? start(request) : null;
  }

  Deadline deadline() {
    return deadline;
  }

  boolean isCutOff() {
    return deadline.nanosLeft() <= 0;
  }

  void checkDeadline(long visited) {
    if (isCutOff()) {
      throw timeout(" after " + visited + " entries");
    }
  }

  private RnsException timeout(String after) {
    Duration most = settings.deadline;
    return new RnsException(
        RnsError.TIMEOUT, "the walk of " + settings.start + " was cut off by its deadline of " + shown(most) + after);
  }

  private static String shown(Duration time) {
    return time.toMillisPart() == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }

  /** A page that is being listed. */
  final class Fetch extends FutureTask<Outcome<Page>> {
    private final ListRequest request;
    private @Nullable Outcome<Page> outcome;

    Fetch(ListRequest request) {
      super(asked(request));
      this.request = request;
    }

    private Outcome<Page> outcome() {
      if (outcome == null) {
        outcome = await();
        ahead--;
      }
      return outcome;
    }

    private Outcome<Page> await() {
      try {
        return get(Math.max(0, deadline.nanosLeft()), TimeUnit.NANOSECONDS);
      } catch (TimeoutException e) {
        RnsException timeout = timeout("");
        timeout.addSuppressed(e);
        throw timeout;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new RnsException(RnsError.UNAVAILABLE, "interrupted in the walk of " + settings.start, e);
      } catch (ExecutionException e) {
        if (e.getCause() instanceof RnsException failure) {
          throw new RnsException(failure.error(), failure.getMessage(), failure);
        }
        throw new IllegalStateException(e.getCause());
      }
    }

    /** Waits for the page of the directory that the walk starts at. */
    void requireDirectory() {
      Page unused = outcome().orThrow();
    }

    /** Waits for the page of a directory that was there when it was found: empty if it is gone since. */
    Optional<Page> page() {
      if (outcome() instanceof Outcome.Refused<Page> refused && refused.refusal() instanceof Refusal.NoSuchEntry) {
        return Optional.empty();
      }
      return Optional.of(outcome().orThrow());
    }

    /** The request for the page that follows, if any. */
    Optional<ListRequest> next(Page page) {
      return Entries.after(page, request);
    }
  }

  private Callable<Outcome<Page>> asked(ListRequest request) {
    return () -> settings.service.list(CallContext.ANONYMOUS, request).value();
  }
}
