package io.rns.loadtest.quota;

import io.rns.error.RnsException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Several processes, each with a quota of its own. */
public final class Quotas implements AutoCloseable {
  private final Deque<Quota> all = new ArrayDeque<>();

  private Quotas() {}

  /**
   * Holds each process to the same share.
   *
   * @param processors as {@link Quota#of} has it; 0 to hold nobody
   * @throws RnsException as {@link Quota#of} and {@link Quota#hold} do
   */
  public static Quotas each(double processors, List<Long> pids) {
    Quotas quotas = new Quotas();
    try {
      for (long pid : processors > 0 ? pids : List.<Long>of()) {
        Quota quota = Quota.of(processors);
        quotas.all.push(quota);
        quota.hold(pid);
      }
      return quotas;
    } catch (RnsException e) {
      quotas.closeAfter(e);
      throw e;
    }
  }

  private void closeAfter(RnsException first) {
    try {
      close();
    } catch (RnsException second) {
      first.addSuppressed(second);
    }
  }

  /** What holds each of them. */
  @Override
  public String toString() {
    return all.isEmpty() ? "no process is limited" : all.size() + " processes are limited, each to " + all.getFirst();
  }

  /** Lets all go on as before. */
  @Override
  public void close() {
    RnsException failure = null;
    while (!all.isEmpty()) {
      try {
        all.pop().close();
      } catch (RnsException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
