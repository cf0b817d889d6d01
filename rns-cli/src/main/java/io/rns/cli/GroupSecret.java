package io.rns.cli;

/**
 * What operators have to know.
 *
 * @param value signs requests, and is never sent
 * @param origin where it was found, for messages
 */
record GroupSecret(String value, String origin) {
  @Override
  public String toString() {
    return "the secret of " + origin;
  }
}
