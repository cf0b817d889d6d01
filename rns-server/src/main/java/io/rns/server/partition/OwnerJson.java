package io.rns.server.partition;

import io.rns.api.Positions;
import io.rns.server.namespace.LocalNameService.Ownership;

/** An {@link Ownership} as servers tell it to each other. */
record OwnerJson(int group, boolean receives, long epoch, String positions) {
  static OwnerJson of(Ownership known) {
    return new OwnerJson(known.owner(), known.receives(), known.epoch(), known.positions().toString());
  }

  Ownership ownership() {
    return new Ownership(group, receives, epoch, Positions.parse(positions));
  }
}
