package io.rns.referral;

import io.rns.api.Position;

/** Whether a server's reads include what a client has seen, best first. */
enum Freshness {
  /** The server is the primary, has announced or returned the position, or the call needs none. */
  HAS,
  /** The change has reached the server or is about to; the server waits for it. */
  SOON,
  /** The change is too recent for the server's lag, or the lag is unknown. */
  LACKS;

  /** Longest expected wait of a server, in ms: cheaper than sending every read after a write to the primary. */
  static final long WAIT_MILLIS = 20;

  static Freshness of(ServerCandidate candidate, Wish wish) {
    if (wish.primary() || wish.seen().isEmpty() || candidate.server().role() == ServerRole.PRIMARY) {
      return HAS;
    }
    Position seen = wish.seen().get();
    boolean announced = candidate.server().position().map(at -> at.covers(seen)).orElse(false);
    if (announced || candidate.experience().positions().covers(seen)) {
      return HAS;
    }
    boolean sameGroup = candidate.server().position().map(at -> at.group() == seen.group()).orElse(false);
    return sameGroup && candidate.server().lagMillis() <= wish.seenMillis() + WAIT_MILLIS ? SOON : LACKS;
  }
}
