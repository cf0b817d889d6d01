package io.rns.cli;

/**
 * The operators' secret.
 *
 * @param value the key that signs requests; never sent
 * @param origin its source, for messages
 */
record GroupSecret(String value, String origin) {
  @Override
  public String toString() {
    return "the secret of " + origin;
  }
}
