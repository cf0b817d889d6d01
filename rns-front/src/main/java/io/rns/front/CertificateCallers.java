package io.rns.front;

import io.rns.client.http.MessageAuthentication.Header;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.identity.Identification;
import io.rns.identity.IdentitySettings;
import io.rns.identity.IssuerSettings;
import io.rns.identity.RequestPassing;
import io.rns.identity.X509Settings;
import java.net.URI;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Finds out who clients are by their certificates, as a server does, and tells servers. Certificates are verified, and
 * the files of authorities read, by one thread of its own: loops never wait for either. Origins take turns, so that one
 * with many connections does not keep others waiting. Thread-safe.
 */
final class CertificateCallers implements AutoCloseable {
  /** The most certificates in a chain, as at servers. */
  static final int MOST_CERTIFICATES = 8;

  private static final Logger LOG = Logger.getLogger(CertificateCallers.class.getName());
  private static final long LOOK_MILLIS = 1_000;
  /** As long as a refused certificate is remembered. */
  private static final Duration REFUSED = Duration.ofSeconds(10);

  private final Identification identification;
  private final RequestPassing passing;
  private final InstantSource clock;
  private final ScheduledExecutorService thread;
  private volatile long generation;

  /** What waits, by origin; the origin whose turn is next first. */
  private final Map<String, Deque<Runnable>> waiting = new LinkedHashMap<>();

  /**
   * Reads the files of authorities.
   *
   * @param secret of the servers, not empty
   * @param name of this front
   * @throws IllegalArgumentException if they cannot be used
   */
  CertificateCallers(X509Settings settings, String secret, String name, InstantSource clock) {
    this.identification = new IdentitySettings(Optional.empty(), IssuerSettings.NONE, settings).start(clock);
    this.passing = new RequestPassing(secret, name, clock);
    this.clock = clock;
    this.generation = identification.generation();
    this.thread =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("rns-front-certificates").daemon().factory());
    var unused = thread.scheduleWithFixedDelay(this::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void look() {
    try {
      generation = identification.generation();
    } catch (RuntimeException e) {
      // Again at the next look: an exception would end them.
      LOG.log(Level.WARNING, "the files of certificate authorities could not be looked at", e);
    }
  }

  /** Whether what was found out still holds. */
  boolean holds(CertificateCaller.Decided known) {
    return known.generation() == generation && clock.millis() < known.untilMillis();
  }

  /**
   * Finds out who has presented certificates. There is at most one such request per connection, so that as many wait as
   * there are connections.
   *
   * @param chain at least one; TLS has verified that the client has the key of the first
   * @param origin where the client is
   * @param done gets the result, by another thread; never if this is closed
   */
  void find(List<X509Certificate> chain, String origin, Consumer<CertificateCaller> done) {
    synchronized (waiting) {
      waiting.computeIfAbsent(origin, its -> new ArrayDeque<>()).add(() -> done.accept(found(chain, origin)));
    }
    try {
      thread.execute(this::findNext);
    } catch (RejectedExecutionException e) {
      done.accept(new CertificateCaller.Undecided(RnsError.UNAVAILABLE, "the front is stopping"));
    }
  }

  /** Does one of those that wait, as often as there are any. */
  private void findNext() {
    Runnable next;
    synchronized (waiting) {
      Map.Entry<String, Deque<Runnable>> turn = waiting.entrySet().iterator().next();
      String origin = turn.getKey();
      Deque<Runnable> its = turn.getValue();
      next = its.removeFirst();
      waiting.remove(origin);
      if (!its.isEmpty()) {
        waiting.put(origin, its);
      }
    }
    next.run();
  }

  private CertificateCaller found(List<X509Certificate> chain, String origin) {
    // Before it is used: if it changes meanwhile, this is found out again.
    long before = generation;
    try {
      if (chain.size() > MOST_CERTIFICATES) {
        return refused(
            "the chain has " + chain.size() + " certificates; allowed are " + MOST_CERTIFICATES, before);
      }
      Identification.Identified found = identification.identified(chain, origin);
      return new CertificateCaller.Decided(
          RequestPassing.named(found.caller()), before, found.until().toEpochMilli());
    } catch (RnsException e) {
      String reason = String.valueOf(e.getMessage());
      return e.error().kind() == RnsError.Kind.CALLER ? refused(reason, before)
          : new CertificateCaller.Undecided(e.error(), reason);
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "a certificate could not be verified", e);
      return new CertificateCaller.Undecided(RnsError.UNAVAILABLE, "the certificate could not be verified");
    }
  }

  private CertificateCaller refused(String reason, long before) {
    return new CertificateCaller.Decided(
        RequestPassing.refused(reason), before, clock.millis() + REFUSED.toMillis());
  }

  /**
   * The header that tells a server who sends a request.
   *
   * @param text of {@link CertificateCaller.Decided}
   * @param line of {@link RequestPassing#line}
   * @param digest of the body, or {@link RequestPassing#UNSIGNED}
   */
  Header header(String text, URI server, String line, String digest) {
    return passing.header(text, server, line, digest);
  }

  @Override
  public void close() {
    List<Runnable> unused = thread.shutdownNow();
    identification.close();
  }
}
