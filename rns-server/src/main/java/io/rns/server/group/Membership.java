package io.rns.server.group;

import io.rns.api.Consistency;
import io.rns.api.NameService;
import io.rns.api.Position;
import io.rns.api.Positions;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.referral.Announcement;
import io.rns.referral.ServerRole;
import io.rns.replication.MemberReport;
import io.rns.server.namespace.ChangeFeed;
import io.rns.server.namespace.LocalNameService;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The place of this server among the servers of one tree. A server without a group is a group of one.
 *
 * <p>Thread-safe.
 */
public sealed interface Membership extends AutoCloseable permits GroupMembership, SoleMembership {
  /** The namespace as the group serves it. */
  NameService service();

  /** The copy beside this server, or null while there is none that may be read. */
  @Nullable
  LocalNameService copy();

  /** The changes of the copy beside this server, or null while there is none that may be read. */
  @Nullable
  ChangeFeed changes();

  /**
   * Whether a request may have to wait for other servers.
   *
   * @param read whether it only reads
   * @param consistency of the read
   * @param seen the position that its caller has seen
   */
  boolean mayWait(boolean read, Consistency consistency, Positions seen);

  /** The role of this server towards clients. */
  ServerRole role();

  /** How often this server has begun to drain. */
  int drains();

  /** Numbers about the copy beside this server. */
  Map<String, Number> statistics();

  /** This server, and the last known state of the others, by name. */
  List<MemberReport> reports();

  /** What clients learn about this server and all others, unreachable ones included. Never asks the database. */
  List<Announcement> announcements();

  /** The addresses of the servers that clients may use. Never asks the database. */
  List<URI> serving();

  /** The addresses of the members that do not answer, with their names as far as those are known. */
  Map<String, String> unreachable();

  /** Why requests are not answered; empty if they are. */
  Optional<String> trouble();

  /** The name of the server that would replace the primary without a command; empty if none would. */
  Optional<String> nextPrimary();

  /** Why a failover that is needed has not succeeded yet; empty if none is. */
  Optional<String> failoverTrouble();

  /** Which servers of the group have which access mode, for people; empty if all that report it have the same. */
  Optional<String> accessTrouble();

  /** Why writes are refused for now although reads are answered; empty if they are not. */
  Optional<String> writeTrouble();

  /**
   * Has everything in the database replaced. Meanwhile reads see the former tree, and writes are refused as
   * unavailable.
   *
   * @param replacing replaces it in one transaction, or fails and leaves it as it is
   * @return the position at which this server goes on
   * @throws RnsException {@link RnsError#INVALID_REQUEST} in a group of several servers; whatever {@code replacing}
   *         throws
   */
  Position replace(Runnable replacing);

  @Override
  void close();
}
