package io.rns.cli;

import io.rns.api.NameService;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Sends lines in concurrent batches. A line whose result could depend on a batch in flight waits for it, so the outcome
 * is that of sequential lines. For one thread.
 */
final class Importer implements AutoCloseable {
  /** Enough that the server's next transaction is here while it commits one. */
  static final int BATCHES_UNDER_WAY = 8;

  /** The most characters of lines in flight: bounds the memory of requests and responses, here and at the server. */
  private static final long CHARS_UNDER_WAY = 4L * ImportBatch.CHARS;

  /** A batch in flight. */
  private record Sent(ImportBatch batch, Future<ImportResult> result) {}

  private final NameService service;
  private final boolean replace;
  private final int atOnce;
  private final Consumer<ImportResult> results;
  private final ExecutorService threads;
  private final Deque<Sent> sent = new ArrayDeque<>();
  private ImportBatch batch;
  private long charsSent;
  private long settledLine;

  /**
   * An importer without lines.
   *
   * @param replace whether entries that exist are replaced
   * @param oneByOne whether a batch is settled before the next one is filled
   * @param results takes the results of batches, in the order of their lines
   */
  Importer(NameService service, boolean replace, boolean oneByOne, Consumer<ImportResult> results) {
    this.service = service;
    this.replace = replace;
    this.atOnce = oneByOne ? 1 : BATCHES_UNDER_WAY;
    this.results = results;
    this.threads = Executors.newFixedThreadPool(atOnce, Importer::thread);
    this.batch = new ImportBatch(replace);
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "rns-import");
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Takes a line.
   *
   * @param length its length in characters
   */
  void add(long number, EntryLine line, int length) {
    String path = line.path().toString();
    settleThrough(earlier -> earlier.hasUse(path, line.isDirectory()));
    // A directory that this batch knows was compared with the batches in flight, and so were those above it.
    for (int slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
      String directory = path.substring(0, slash);
      if (!batch.addAncestor(directory)) {
        break;
      }
      settleThrough(earlier -> earlier.hasJunction(directory));
    }
    batch.add(number, line, path, length);
    if (batch.isFull()) {
      send();
    }
  }

  /** Waits for the batches in flight up to the last one that a line depends on. */
  private void settleThrough(Predicate<ImportBatch> needed) {
    int count = 0;
    int at = 0;
    for (Sent earlier : sent) {
      at++;
      if (needed.test(earlier.batch())) {
        count = at;
      }
    }
    for (int i = 0; i < count; i++) {
      settleOldest();
    }
  }

  private void send() {
    ImportBatch full = batch;
    batch = new ImportBatch(replace);
    charsSent += full.chars();
    sent.add(new Sent(full, threads.submit(() -> full.send(service))));
    while (sent.size() >= atOnce || charsSent > CHARS_UNDER_WAY) {
      settleOldest();
    }
  }

  /** Sends the remaining lines and waits for all results. */
  void finish() {
    if (!batch.isEmpty()) {
      send();
    }
    while (!sent.isEmpty()) {
      settleOldest();
    }
  }

  private void settleOldest() {
    Sent oldest = sent.remove();
    charsSent -= oldest.batch().chars();
    try {
      ImportResult result = oldest.result().get();
      result.bad.sort(Comparator.comparingLong(ImportResult.BadLine::line));
      result.lastLine = oldest.batch().lastLine();
      settledLine = result.lastLine;
      results.accept(result);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RnsException failure) {
        throw new RnsException(
            failure.error(),
            "stopped after line " + settledLine + ": " + failure.getMessage() + "; to continue, repeat the import",
            failure);
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RnsException(RnsError.UNAVAILABLE, "interrupted after line " + settledLine, e);
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
