package io.rns.server.dns;

import io.rns.api.RnsPath;
import java.net.InetAddress;

/** What a name stands for. */
sealed interface Meaning {
  /** A name that is not in the zone. */
  record Foreign() implements Meaning {}

  /** The zone itself. */
  record Apex() implements Meaning {}

  /** The hosts of the servers. */
  record ServerHosts() implements Meaning {}

  /** The servers as a service. */
  record ServerService() implements Meaning {}

  /** A host that is known by nothing but its address. */
  record Host(InetAddress address) implements Meaning {}

  /** A path: a pool, perhaps. */
  record Pool(RnsPath path) implements Meaning {}

  /** The endpoints of a pool that have a scheme, such as {@code http}. */
  record PoolService(RnsPath path, String scheme) implements Meaning {}

  /** A name that is there only because there are names below it. */
  record Between() implements Meaning {}

  /** A name of the zone that stands for nothing. */
  record Nothing() implements Meaning {}
}
