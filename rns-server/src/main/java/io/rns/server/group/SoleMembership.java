package io.rns.server.group;

import io.rns.api.CallContext;
import io.rns.api.Consistency;
import io.rns.api.NameService;
import io.rns.api.Position;
import io.rns.api.Positions;
import io.rns.api.QueryRequest;
import io.rns.api.Target;
import io.rns.error.RnsException;
import io.rns.referral.Announcement;
import io.rns.referral.ServerRole;
import io.rns.replication.Lag;
import io.rns.replication.MemberReport;
import io.rns.replication.Offer;
import io.rns.replication.Role;
import io.rns.server.namespace.ChangeFeed;
import io.rns.server.namespace.LocalNameService;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** The membership of a server without a group: always the primary, and never waiting for another server. */
public final class SoleMembership implements Membership {
  private final String name;
  private final Optional<String> url;
  private final LocalNameService names;
  private final Supplier<Offer> offer;

  /**
   * The primary of a database.
   *
   * @param url where clients reach the server; empty if it has no address for others, which then learn of no server
   * @param names its tree, already writing, which the membership closes
   * @param offer what the server announces to clients
   */
  public SoleMembership(String name, Optional<String> url, LocalNameService names, Supplier<Offer> offer) {
    this.name = name;
    this.url = url;
    this.names = names;
    this.offer = offer;
  }

  @Override
  public NameService service() {
    return names;
  }

  @Override
  public LocalNameService copy() {
    return names;
  }

  @Override
  public ChangeFeed changes() {
    return names.changes();
  }

  @Override
  public boolean mayWait(boolean read, Consistency consistency, Positions seen) {
    return false;
  }

  @Override
  public ServerRole role() {
    return ServerRole.PRIMARY;
  }

  @Override
  public int drains() {
    return 0;
  }

  @Override
  public Map<String, Number> statistics() {
    return names.statistics();
  }

  @Override
  public List<MemberReport> reports() {
    return List.of(
        new MemberReport(name, url.orElse(""), Role.PRIMARY, Optional.of(names.position()), Lag.NONE, 0,
            trouble().orElse(""), Optional.empty(), List.of()));
  }

  @Override
  public List<Announcement> announcements() {
    return url.map(address -> Announcements.of(name, address, names.position(), offer.get())).stream().toList();
  }

  @Override
  public List<URI> serving() {
    return url.map(URI::create).stream().toList();
  }

  @Override
  public Map<String, String> unreachable() {
    return Map.of();
  }

  @Override
  public Optional<String> trouble() {
    try {
      names.query(CallContext.SERVICE, QueryRequest.of(Target.ROOT).withCounts());
      return Optional.empty();
    } catch (RnsException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  @Override
  public Optional<String> nextPrimary() {
    return Optional.empty();
  }

  @Override
  public Optional<String> failoverTrouble() {
    return Optional.empty();
  }

  @Override
  public Optional<String> accessTrouble() {
    return Optional.empty();
  }

  @Override
  public Optional<String> writeTrouble() {
    return names.writeTrouble();
  }

  @Override
  public Position replace(Runnable replacing) {
    return names.replace(replacing);
  }

  @Override
  public void close() {
    names.close();
  }
}
