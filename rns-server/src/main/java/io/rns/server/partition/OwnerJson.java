package io.rns.server.partition;

import io.rns.api.Positions;
import io.rns.server.namespace.LocalNameService.Ownership;

/** An {@link Ownership} as servers tell it to each other. */
record OwnerJson(int group, long epoch, String positions) {
  static OwnerJson of(Ownership known) {
    return new OwnerJson(known.owner(), known.epoch(), known.positions().toString());
  }

  Ownership ownership() {
    return new Ownership(group, epoch, Positions.parse(positions));
  }
}
