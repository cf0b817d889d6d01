package io.rns.client;

import io.rns.api.NameService;
import io.rns.api.Positions;
import io.rns.api.RnsPath;
import io.rns.pool.PoolService;
import io.rns.referral.Choice;
import java.util.List;

/**
 * A name service that is asked over the network, by one session: it reads what it wrote, and never older than what it
 * read, whichever server answers. For that it remembers the latest position of each server group, and sends them with
 * the next call.
 *
 * <p>A session can go on elsewhere: give {@link #positions} of one connection to {@link #seen} of another, in this
 * process or another one. Safe for use by many threads, which are one session.
 */
public interface RnsConnection extends NameService {
  /**
   * The latest position that was seen of each server group: what a read of this session sees at least, whichever group
   * answers.
   *
   * @return none before the first response with one; servers of other makes report none
   */
  Positions positions();

  /** Makes the calls that begin from now on see positions, of each group the later of this and the session's. */
  void seen(Positions positions);

  /**
   * The server pools of the same servers, over the same connections: a call goes to the server in use, then to the
   * others, and is repeated as reads are. {@link PoolService#unreachable} is not, unless it certainly was not sent; a
   * {@link PoolService#deregister} that was repeated may answer false although it did it.
   *
   * <p>Calls throw what reads throw, and {@link io.rns.error.RnsError#UNKNOWN_OPERATION} where the server has no pools,
   * as those of other makes. Usable until the connection is closed.
   */
  PoolService pools();

  /**
   * The servers that are known, in the order in which a call about the entries of the root that is made now would go to
   * them, with the reasons. Nothing is asked. Those that the client cannot use are the last.
   *
   * @param write whether the call is one that the primary has to answer
   * @return empty unless the client chooses ({@link Selection#NEAREST})
   */
  default List<Choice> servers(boolean write) {
    return servers(RnsPath.ROOT, write);
  }

  /**
   * The same for a call about the entries of any directory.
   *
   * @param directory need not exist
   * @param write whether the call is one that the primary has to answer
   * @return empty unless the client chooses ({@link Selection#NEAREST})
   */
  List<Choice> servers(RnsPath directory, boolean write);

  /**
   * The directories whose content has servers of its own, as the servers reported, the root first.
   *
   * @return empty unless the client chooses ({@link Selection#NEAREST})
   */
  List<RnsPath> parts();

  /**
   * Discards the servers' reports and all measurements, and queries all known servers for both, 32 at once, each for up
   * to 2 s. One that does not answer counts as failed, one that refuses or is full does not. Does nothing unless the
   * client chooses.
   */
  void refreshServers();
}
