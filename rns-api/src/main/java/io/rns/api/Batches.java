package io.rns.api;

import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;

/** The size check shared by all batches. */
final class Batches {
  private Batches() {}

  static void check(String operation, int items) {
    if (items == 0) {
      throw new RnsException(RnsError.INVALID_REQUEST, operation + ": the batch is empty");
    }
    Limits.check(operation + ": the batch", items, Limits.BATCH_ITEMS, "items");
  }
}
