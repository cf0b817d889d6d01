package io.rns.server.dns;

import io.rns.api.RnsPath;
import io.rns.pool.PoolResolution;
import java.net.InetAddress;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.xbill.DNS.Type;

/**
 * Who looks up a host asks for A and AAAA at the same time and wants one of both. Were these two selections, a pool of
 * two elements in turn would give the same one to everybody. So the second of them gets what the first one got. Safe
 * for use by many threads.
 */
final class TwinQuestions {
  /** How long the other question may take to come. */
  static final long PATIENCE_NANOS = 1_000_000_000;

  /** Questions whose twin is awaited; the oldest is given up for one more. */
  static final int AWAITED = 1_024;

  private final LongSupplier nanos;
  private final Map<Question, Selection> awaited = new LinkedHashMap<>();

  private record Question(InetAddress asker, RnsPath path, int type) {}

  private record Selection(CompletableFuture<PoolResolution> pool, long at) {}

  TwinQuestions(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /**
   * The selection for a question.
   *
   * @param type A or AAAA
   * @param select selects, if the twin has not
   */
  PoolResolution resolve(InetAddress asker, RnsPath path, int type, Supplier<PoolResolution> select) {
    CompletableFuture<PoolResolution> own = new CompletableFuture<>();
    Optional<CompletableFuture<PoolResolution>> ofTwin = ofTwin(new Question(asker, path, type), own);
    if (ofTwin.isEmpty()) {
      try {
        own.complete(select.get());
      } catch (RuntimeException e) {
        own.completeExceptionally(e);
      }
    }
    try {
      return ofTwin.orElse(own).join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }

  /** What the twin has got or is getting; if there is none, a twin that comes will find {@code own}. */
  private synchronized Optional<CompletableFuture<PoolResolution>> ofTwin(
      Question question, CompletableFuture<PoolResolution> own) {
    long now = nanos.getAsLong();
    Selection ofTwin = awaited.remove(question);
    if (ofTwin != null && now - ofTwin.at() <= PATIENCE_NANOS) {
      return Optional.of(ofTwin.pool());
    }
    Question twin = new Question(question.asker(), question.path(), question.type() == Type.A ? Type.AAAA : Type.A);
    awaited.remove(twin);
    awaited.put(twin, new Selection(own, now));
    if (awaited.size() > AWAITED) {
      Iterator<Question> oldest = awaited.keySet().iterator();
      oldest.next();
      oldest.remove();
    }
    return Optional.empty();
  }
}
