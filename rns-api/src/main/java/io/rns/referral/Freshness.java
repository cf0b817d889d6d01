package io.rns.referral;

import io.rns.api.Position;
import java.util.Optional;

/** Whether a server's reads see what a client has seen. The better, the earlier. */
enum Freshness {
  /** It was seen there, or need not be. */
  HAS,
  /** Not seen there, but it has come there by now or soon will have: the server waits for that little. */
  SOON,
  /** Too new for it, or nothing is known. */
  LACKS;

  /**
   * For how long a server may have to wait: it costs less than to have all who read what was just written ask the
   * primary.
   */
  static final long WAIT_MILLIS = 20;

  static Freshness of(ServerCandidate candidate, Wish wish) {
    if (wish.primary() || wish.seen().isEmpty() || candidate.server().role() == ServerRole.PRIMARY) {
      return HAS;
    }
    Position seen = wish.seen().get();
    if (covers(candidate.server().position(), seen) || covers(candidate.experience().position(), seen)) {
      return HAS;
    }
    boolean sameGroup = candidate.server().position().map(at -> at.group() == seen.group()).orElse(false);
    return sameGroup && candidate.server().lagMillis() <= wish.seenMillis() + WAIT_MILLIS ? SOON : LACKS;
  }

  private static boolean covers(Optional<Position> at, Position seen) {
    return at.isPresent() && at.get().covers(seen);
  }
}
