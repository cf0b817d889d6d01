package io.rns.guard;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.glassfish.grizzly.Connection;
import org.glassfish.grizzly.filterchain.BaseFilter;
import org.glassfish.grizzly.filterchain.FilterChainContext;
import org.glassfish.grizzly.filterchain.NextAction;
import org.glassfish.grizzly.http.HttpContent;

/**
 * Closes connections whose request head is not complete in time. The time starts at the first byte of the head; for the
 * first request, when the connection is opened. Grizzly's own limit restarts with each byte. Placed before the codec;
 * {@link #end()} after it.
 */
final class HeadDeadline extends BaseFilter {
  private static final long MOST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long IDLE_THREAD_SECONDS = 5;

  private final long limitNanos;
  private final Map<Connection<?>, Head> heads = new ConcurrentHashMap<>();
  private final AtomicBoolean sweeping = new AtomicBoolean();
  private final ScheduledThreadPoolExecutor timer;

  HeadDeadline(Duration limit) {
    limitNanos = limit.toNanos();
    // The thread starts with the first connection and ends some time after the last one.
    timer = new ScheduledThreadPoolExecutor(1, HeadDeadline::thread);
    timer.setKeepAliveTime(IDLE_THREAD_SECONDS, TimeUnit.SECONDS);
    timer.allowCoreThreadTimeOut(true);
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "rns-guard-heads");
    thread.setDaemon(true);
    return thread;
  }

  /** The state of a connection. Changed only by the thread that reads the connection. */
  private static final class Head {
    private static final long NONE = Long.MAX_VALUE;

    private volatile long begun;
    private volatile boolean inRequest;

    Head(long now) {
      begun = now;
    }
  }

  @Override
  public NextAction handleAccept(FilterChainContext ctx) throws IOException {
    heads.put(ctx.getConnection(), new Head(System.nanoTime()));
    if (sweeping.compareAndSet(false, true)) {
      sweepLater();
    }
    return ctx.getInvokeAction();
  }

  @Override
  public NextAction handleClose(FilterChainContext ctx) throws IOException {
    heads.remove(ctx.getConnection());
    return ctx.getInvokeAction();
  }

  @Override
  public NextAction handleRead(FilterChainContext ctx) throws IOException {
    Head head = heads.get(ctx.getConnection());
    if (head != null && !head.inRequest && head.begun == Head.NONE) {
      head.begun = System.nanoTime();
    }
    return ctx.getInvokeAction();
  }

  /** The filter after the codec, which sees complete heads and bodies. */
  BaseFilter end() {
    return new BaseFilter() {
      @Override
      public NextAction handleRead(FilterChainContext ctx) throws IOException {
        Head head = heads.get(ctx.getConnection());
        if (head != null && ctx.getMessage() instanceof HttpContent content) {
          head.begun = Head.NONE;
          head.inRequest = !content.isLast();
        }
        return ctx.getInvokeAction();
      }
    };
  }

  private void sweepLater() {
    ScheduledFuture<?> unused =
        timer.schedule(this::sweep, Math.min(MOST_PAUSE_NANOS, Math.max(1, limitNanos / 4)), TimeUnit.NANOSECONDS);
  }

  private void sweep() {
    long now = System.nanoTime();
    heads.forEach(
        (connection, head) -> {
          long begun = head.begun;
          if (!connection.isOpen()) {
            heads.remove(connection);
          } else if (begun != Head.NONE && now - begun > limitNanos) {
            connection.terminateSilently();
          }
        });
    sweeping.set(false);
    if (!heads.isEmpty() && sweeping.compareAndSet(false, true)) {
      sweepLater();
    }
  }
}
