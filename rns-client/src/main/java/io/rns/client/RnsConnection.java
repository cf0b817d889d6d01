package io.rns.client;

import io.rns.api.NameService;
import io.rns.api.Position;
import java.util.Optional;

/**
 * A name service that is asked over the network, by one session: it reads what it wrote, and never older than what it read,
 * whichever server answers. For that it remembers the position of every answer, and sends it with the next call.
 *
 * <p>A session can go on elsewhere: give {@link #position} of one connection to {@link #seen} of another, in this process or
 * another one. Safe for use by many threads, which are one session.
 */
public interface RnsConnection extends NameService {
  /**
   * The last position that was seen of the server group that answered last: what a read of this session sees at least.
   *
   * @return empty before the first answer that tells one; servers of other makes tell none
   */
  Optional<Position> position();

  /** Makes the calls that begin from now on see a position, unless they see a later one anyway. */
  void seen(Position position);
}
