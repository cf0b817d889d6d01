package io.rns.server.operator;

import java.util.HashSet;
import java.util.Set;

/**
 * The nonces of the requests that were taken, for as long as the time of such a request is accepted and up to twice
 * that. Only nonces of valid requests get here, so only holders of the secret can fill it. Thread-safe.
 */
final class NonceMemory {
  /** Far more than servers and operators send in four minutes. */
  static final int MOST = 200_000;

  private final long keptMillis;
  private Set<String> latest = new HashSet<>();
  private Set<String> earlier = Set.of();
  private long since;

  NonceMemory(long keptMillis, long now) {
    this.keptMillis = keptMillis;
    this.since = now;
  }

  /** What became of a nonce. */
  enum Outcome {
    NEW, KNOWN, FULL
  }

  /** Remembers a nonce, unless it is known or there are too many. */
  synchronized Outcome take(String nonce, long now) {
    if (now - since >= keptMillis) {
      earlier = now - since >= 2 * keptMillis ? Set.of() : latest;
      latest = new HashSet<>();
      since = now;
    }
    if (earlier.contains(nonce) || latest.contains(nonce)) {
      return Outcome.KNOWN;
    }
    if (latest.size() >= MOST) {
      return Outcome.FULL;
    }
    latest.add(nonce);
    return Outcome.NEW;
  }
}
