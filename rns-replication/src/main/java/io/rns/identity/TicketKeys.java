package io.rns.identity;

import io.rns.operator.DerivedKey;

/** Derives the root keys of tickets from the secret of the servers, so that no key is stored. Immutable. */
public final class TicketKeys {
  private final DerivedKey root;

  /** The keys of a secret, which is not empty. */
  public TicketKeys(String secret) {
    this.root = new DerivedKey(secret, "rns ticket 1");
  }

  /** The root key with a number. */
  public byte[] key(long number) {
    return root.mac(Long.toString(number));
  }
}
