package io.rns.client.http;

import io.rns.client.call.Deadline;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The addresses of one host, within a deadline. The lookup of the system cannot be interrupted, so it has a thread of
 * its own; there is one at most, which all who wait share. Safe for use by many threads.
 */
final class HostLookup {
  private static final Pattern LITERAL = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}|.*:.*");

  private final String host;
  private final Resolver resolver;
  private @Nullable CompletableFuture<InetAddress[]> running;

  HostLookup(String host, Resolver resolver) {
    this.host = host;
    this.resolver = resolver;
  }

  /** What finds the addresses of a host. */
  interface Resolver {
    /** The resolver of the system, which remembers addresses for a while. */
    Resolver SYSTEM = InetAddress::getAllByName;

    /** One address or more, the preferred first. Called by one thread at a time. */
    InetAddress[] resolve(String host) throws UnknownHostException;
  }

  /**
   * The addresses in the order in which they should be tried: as the resolver has them, but alternating between IPv4
   * and IPv6 (RFC 8305, section 4).
   *
   * @throws UnknownHostException if there are none
   * @throws SocketTimeoutException if they are not found before the deadline
   */
  List<InetAddress> addresses(Deadline deadline) throws IOException {
    if (LITERAL.matcher(host).matches()) {
      return List.of(resolver.resolve(host));
    }
    try {
      return alternating(lookup().get(deadline.nanosLeft(), TimeUnit.NANOSECONDS));
    } catch (TimeoutException e) {
      throw late(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw interrupted(e);
    } catch (ExecutionException e) {
      throw unknown(e.getCause());
    }
  }

  private synchronized CompletableFuture<InetAddress[]> lookup() {
    if (running != null && !running.isDone()) {
      return running;
    }
    CompletableFuture<InetAddress[]> lookup = new CompletableFuture<>();
    running = lookup;
    Thread thread = new Thread(() -> resolve(lookup), "rns-client-resolver");
    thread.setDaemon(true);
    thread.start();
    return lookup;
  }

  private void resolve(CompletableFuture<InetAddress[]> lookup) {
    try {
      lookup.complete(resolver.resolve(host));
    } catch (UnknownHostException | RuntimeException e) {
      lookup.completeExceptionally(e);
    }
  }

  private IOException late(Exception cause) {
    IOException late = new SocketTimeoutException("the addresses of host " + host + " were not found in time");
    late.initCause(cause);
    return late;
  }

  static IOException interrupted(InterruptedException cause) {
    IOException interrupted = new InterruptedIOException("interrupted");
    interrupted.initCause(cause);
    return interrupted;
  }

  /** One for each who waits: an exception belongs to the thread that throws it. */
  private IOException unknown(Throwable cause) {
    String reason = cause instanceof UnknownHostException ? cause.getMessage() : host + ": " + cause;
    IOException unknown = new UnknownHostException(reason);
    unknown.initCause(cause);
    return unknown;
  }

  private static List<InetAddress> alternating(InetAddress[] found) {
    List<InetAddress> likeFirst = new ArrayList<>();
    List<InetAddress> others = new ArrayList<>();
    for (InetAddress address : found) {
      (address.getClass() == found[0].getClass() ? likeFirst : others).add(address);
    }
    List<InetAddress> all = new ArrayList<>(found.length);
    Iterator<InetAddress> other = others.iterator();
    for (InetAddress address : likeFirst) {
      all.add(address);
      if (other.hasNext()) {
        all.add(other.next());
      }
    }
    other.forEachRemaining(all::add);
    return all;
  }
}
