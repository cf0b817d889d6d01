package io.rns.replication.member;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.replication.MemberList;
import io.rns.replication.Topology;
import io.rns.replication.membership.MemberPromise;
import io.rns.replication.membership.MemberState;
import java.time.Duration;

/**
 * The database beside this server, as a member of a replicated set: one that takes writes, and others that follow it,
 * by whichever {@link Topology}. It is spoken to as the account that controls replication, so it can be steered while
 * it refuses the writes of RNS.
 *
 * <p>Every method throws {@link RnsException}: {@link RnsError#UNAVAILABLE} if the database cannot be reached or does
 * not get there in time, {@link RnsError#INTERNAL} if it refuses, with its words. A method that fails may have done a
 * part; each can be repeated. Safe to share between threads; {@link #state} and {@link #contains} do not wait for the
 * others.
 */
public interface DatabaseMember extends AutoCloseable {
  /** One look. */
  MemberState state();

  /**
   * Makes it refuse writes if none is being committed, or those that are end within a second; what it has then was
   * acknowledged to its clients.
   *
   * @return whether it does
   */
  boolean tryReadOnly();

  /**
   * Makes it refuse writes: none is committed after this returns, except by accounts that may pass over read-only. A
   * transaction that is under way can no longer be committed; one that is being committed is waited for, for a second,
   * and then cut off without an answer, as are other connections of clients, if need be. What waited for a replica then
   * is part of this database, and of no other, perhaps. No harm if it is read-only already.
   */
  void makeReadOnly();

  /**
   * Makes it the source: it forgets where it replicated from and takes writes. It ends receiving first; and stays as it
   * is if not all that was received has been applied. In a database group it becomes the primary, and the former one
   * ends to be it.
   *
   * @param acknowledgements of how many replicas a commit waits, without end if there are fewer; 0 for its own disk
   *        only. It takes effect at once if it takes writes already
   * @throws RnsException {@link RnsError#UNAVAILABLE} if something that was received is still to be applied, or it is
   *         not a member of its database group, or that has no majority
   */
  void makeWritable(int acknowledgements);

  /** Of how many replicas its commits can wait, at most. */
  default int mostAcknowledgements() {
    return 1;
  }

  /**
   * The same when there is no other that takes writes, nor a majority of a database group that could choose one: begins
   * a database group again. Two servers doing this would create two groups.
   *
   * @param acknowledgements as there
   * @throws RnsException {@link RnsError#UNAVAILABLE} also if it is still a member of a database group
   */
  default void makeFirst(int acknowledgements) {
    makeWritable(acknowledgements);
  }

  /**
   * Makes it a replica, read-only, that goes on from where it stands, as the account this speaks to it with, which the
   * source must have, too. Returns before it is connected: {@link MemberState#receiving} tells when it is,
   * {@link MemberState#trouble} why it is not. No harm if it does so already.
   *
   * <p>With {@link Topology#GROUP} it joins the database group of which that other one is a member, and returns when it
   * has; whom it receives from is the group's matter then.
   *
   * <p>The new source must have what was received. What of that is not yet applied is fetched again from it; not if it
   * is the same as before, or the make is MySQL, and what was received is being applied.
   */
  void follow(String host, int port);

  /**
   * Checks that a database answers at this address to the account of this one, and is another one. Waits for no other
   * command.
   *
   * @throws RnsException {@link RnsError#UNAVAILABLE} if not, within 3 s, with the reason
   */
  void checkReaches(String host, int port);

  /**
   * Replaces all tables and transactions of this one by those that the member at this address has at one moment between
   * call and return; that one goes on taking writes. Takes as long as the data is large. This one is read-only then and
   * has no source: {@link #follow} makes it catch up. After a failure it has a part of the tables and no transactions:
   * copy again.
   *
   * @throws RnsException {@link RnsError#UNAVAILABLE} also if a commit of the other one waits for a replica all the
   *         time
   */
  void copyFrom(String host, int port);

  /**
   * Ends receiving; what was received is still applied. Does nothing on a member without a source. With
   * {@link Topology#GROUP} it leaves the database group, as the primary of it, too.
   */
  void stopReceiving();

  /**
   * What a look has found, applied or only received, in the notation of {@link #contains}: once it has stopped
   * receiving, all that it will have.
   */
  default String withReceived(MemberState state) {
    return state.transactions();
  }

  /** Whether all that was received has been applied; waits for it this long at most. */
  boolean awaitApplied(Duration most);

  /**
   * Whether its log has all of its transactions, as far as that is known: an empty one can follow it without a copy.
   */
  default boolean reachesBack() {
    return true;
  }

  /**
   * Whether this one has applied all transactions that {@link MemberState#transactions} or {@link #withReceived} of one
   * of the same make names.
   */
  boolean contains(String transactions);

  /**
   * The members of the group, as its tables show them; {@link MemberList#NONE} if it has none. Waits for no other
   * command. On a source they are those of acknowledged commits, unless it was restarted since.
   */
  MemberList members();

  /**
   * What this member has promised; {@link MemberPromise#NONE} if nothing yet. Read from the database once, and again
   * after a reconnect.
   */
  MemberPromise promise();

  /**
   * Replaces what this member has promised, also while it refuses writes. On disk when this returns; after a failure
   * either of the two promises may be. It belongs to this database alone: it is no transaction, reaches no other
   * member, and {@link #copyFrom} leaves it as it is. It waits for no replica.
   *
   * <p>With {@link Topology#GROUP} it lasts as long as this object: there the databases themselves keep out members of
   * former terms.
   */
  void promise(MemberPromise promise);

  /** Closes the connections. */
  @Override
  void close();
}
