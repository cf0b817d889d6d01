package io.rns.replication.member;

import io.rns.replication.Topology;
import io.rns.replication.membership.Durability;
import java.time.Duration;
import java.util.List;

/**
 * How a server belongs to its group; documented knob by knob in docs/operations.md.
 *
 * @param topology how the databases are kept alike
 * @param name of this server, for people
 * @param url its address for members and clients
 * @param servers addresses of members, not necessarily all
 * @param secret what members and operators know
 * @param databaseAddress where the other databases reach the one beside this server, {@code host:port}
 * @param controlUser account that controls the replication of that database
 * @param controlPassword its password
 * @param durability when a write is answered
 * @param automatic whether it begins a failover by itself, if its topology does not do so
 */
public record GroupSettings(
    Topology topology,
    String name,
    String url,
    List<String> servers,
    String secret,
    String databaseAddress,
    String controlUser,
    String controlPassword,
    Durability durability,
    boolean automatic) {
  /** How often an idle primary commits a heartbeat. */
  public static final Duration BEAT = Duration.ofMillis(250);

  /** Copies the addresses. */
  public GroupSettings {
    servers = List.copyOf(servers);
  }

  /** Of how many replicas the commits of the database beside this server wait, at most. */
  int mostAcknowledgements(DatabaseMember member) {
    return durability == Durability.LOCAL ? 1 : member.mostAcknowledgements();
  }

  /** Without secrets. */
  @Override
  public String toString() {
    return name + " at " + url + ", database at " + databaseAddress;
  }
}
