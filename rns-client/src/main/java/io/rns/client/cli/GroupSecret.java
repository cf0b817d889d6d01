package io.rns.client.cli;

/**
 * What operators of a group have to know.
 *
 * @param value goes nowhere but to servers of the group
 * @param origin where it was found, for messages
 */
record GroupSecret(String value, String origin) {
  @Override
  public String toString() {
    return "the secret of " + origin;
  }
}
