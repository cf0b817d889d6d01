package io.rns.server.group;

import io.rns.api.Position;
import io.rns.api.RnsPath;
import io.rns.referral.Announcement;
import io.rns.referral.Referral;
import io.rns.referral.ServerRole;
import io.rns.replication.MemberReport;
import io.rns.replication.Offer;
import io.rns.replication.Role;
import io.rns.replication.RoleState;
import io.rns.server.namespace.LocalNameService;
import java.util.List;
import java.util.Optional;

/** The server list for clients. Stateless. */
public final class Announcements {
  private Announcements() {}

  /** A server that is alone. */
  public static Announcement of(String name, String url, Position position, Offer offer) {
    return new Announcement(
        url, name, ServerRole.PRIMARY, offer.site(), offer.capacity(), offer.load(), 0, Optional.of(position));
  }

  /** This server. */
  static Announcement of(String name, String url, RoleState standing, Optional<LocalNameService> copy, Offer offer) {
    ServerRole role = role(standing, offer);
    long lag = isReplica(role) ? copy.map(names -> names.lag().p99Millis()).orElse(0L) : 0;
    return new Announcement(
        url, name, role, offer.site(), offer.capacity(), offer.load(), lag, copy.map(LocalNameService::position));
  }

  /** Another server, as it was when it was last asked. */
  static Announcement of(MemberReport report) {
    Offer offer = report.offer();
    ServerRole role = report.reason().isEmpty() ? role(report.role(), offer) : ServerRole.OUT;
    long lag = isReplica(role) ? report.lag().p99Millis() : 0;
    return new Announcement(
        report.url(), report.name(), role, offer.site(), offer.capacity(), offer.load(), lag, report.position());
  }

  private static boolean isReplica(ServerRole role) {
    return role == ServerRole.REPLICA || role == ServerRole.DRAINING;
  }

  /** The role of this server towards clients. */
  static ServerRole role(RoleState standing, Offer offer) {
    boolean serves = standing.copy().isPresent() && standing.primary().isPresent();
    return serves ? role(standing.role(), offer) : ServerRole.OUT;
  }

  private static ServerRole role(Role role, Offer offer) {
    return switch (role) {
      case PRIMARY -> ServerRole.PRIMARY;
      case REPLICA -> offer.draining() ? ServerRole.DRAINING : ServerRole.REPLICA;
      case STARTING, OUTSIDE -> ServerRole.OUT;
    };
  }

  /**
   * All servers of a group, at most as many as a list may have.
   *
   * @param prefix the part of the tree that the group owns
   */
  public static Referral referral(RnsPath prefix, List<Announcement> servers, long ttlMillis) {
    int epoch =
        servers.stream().flatMap(server -> server.position().stream()).mapToInt(Position::epoch).max().orElse(0);
    return new Referral(prefix, epoch, ttlMillis, servers.stream().limit(Referral.MOST_SERVERS).toList());
  }
}
