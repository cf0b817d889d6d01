package io.rns.replication.member;

import io.rns.api.Position;
import io.rns.replication.Lag;
import io.rns.replication.LocalCopy;
import io.rns.replication.MemberList;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A server's own copy of the tree as its role changes: written by this server, or following another one. */
public interface MemberCopy extends LocalCopy, AutoCloseable {
  /**
   * Does what {@link #lead} need not do then. The database takes writes already, and is this server's.
   *
   * @throws io.rns.error.RnsException {@link io.rns.error.RnsError#UNAVAILABLE} if the database cannot be reached
   */
  default void prepareToLead() {}

  /**
   * Makes this server the primary: begins the next epoch and starts to write.
   *
   * @param after an epoch that the new one is later than, if it is later than the last one here
   * @param members the addresses of the members from now on; empty to keep those that the database has
   * @param wait how many replicas acknowledge this commit and those after it
   * @param mayFollow whether it begins after this commit, the last one before; asked when nobody can make another
   * @return the position at which it begins; empty if it may not, and follows as before
   * @throws io.rns.error.RnsException {@link io.rns.error.RnsError#UNAVAILABLE} if the database cannot be reached or
   *         takes no writes; it follows as before
   */
  Optional<Position> lead(int after, List<String> members, CommitWait wait, Predicate<LastCommit> mayFollow);

  /**
   * Commits another list of members, as the primary.
   *
   * @param epoch in which it is the primary
   * @param members their addresses
   * @param most of how many replicas the commits of the database can wait
   * @return the list
   * @throws io.rns.error.RnsException {@link io.rns.error.RnsError#NOT_PRIMARY},
   *         {@link io.rns.error.RnsError#UNAVAILABLE} if the database cannot be reached or was not answered by a
   *         replica: it may have been committed or not
   */
  MemberList replaceMembers(int epoch, List<String> members, int most);

  /**
   * Ends writing: what is being written is finished, what waits is refused. Reads see what is finished when this
   * returns, and stay there until it follows or leads again: the database may have an unreported commit of its own.
   *
   * @param why reported to waiting callers
   */
  void standDown(String why);

  /**
   * Whether reads see all that the database has. Not so, once writing has ended, of a commit that was cut off and made
   * all the same, as by a restart.
   *
   * @throws io.rns.error.RnsException {@link io.rns.error.RnsError#UNAVAILABLE} if the database cannot be reached
   */
  boolean showsAll();

  /** Follows what another server writes. The database has to belong to the tree of that server. */
  void follow();

  /** Whether this server writes; also before it has learnt that another one does. */
  boolean isPrimary();

  /** Whether a commit of this server, the primary, was acknowledged a short time ago. */
  boolean isConfirmed();

  /** Refuses writes for a reason, also those that wait, or takes them again. */
  void refuseWrites(@Nullable String reason);

  /** When the primary last committed something that reads see, by its clock. */
  Instant asOf();

  /** How long changes took to come here. */
  Lag lag();

  @Override
  void close();
}
