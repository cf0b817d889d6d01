package io.rns.replication;

import io.rns.api.NameService;
import io.rns.api.Position;
import java.time.Duration;

/**
 * The copy of the tree beside a server. Its reads see one position; its writes are refused unless it is the primary's.
 */
public interface LocalCopy extends NameService {
  /** The position whose changes every read sees. */
  Position position();

  /** Whether reads see a position now; one of another group is nothing that a copy could have to see. */
  boolean hasServed(Position position);

  /** Waits until reads see a position, without holding a connection; false if that takes longer than {@code most}. */
  boolean awaitServed(Position position, Duration most);

  /** How old what is read now may be, in milliseconds; 0 on the primary. */
  long ageMillis();

  /**
   * Checks that what is read now is all that was answered to anybody.
   *
   * @throws io.rns.error.RnsException {@link io.rns.error.RnsError#NOT_PRIMARY}, or
   *         {@link io.rns.error.RnsError#UNAVAILABLE} if that is not known at this moment
   */
  void checkLatest();
}
