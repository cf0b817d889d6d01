package io.rns.loadtest.service;

import io.rns.api.EndpointReference;
import io.rns.loadtest.work.Call;

/**
 * The endpoint references of the junctions that a load makes.
 *
 * @param bytes how long the XML of each is at least; short ones have an address only
 */
public record References(int bytes) {
  public static final References SHORT = new References(0);
  private static final String OPEN = "<wsa:EndpointReference xmlns:wsa=\"" + EndpointReference.WSA + "\">";
  private static final String CLOSE = "</wsa:EndpointReference>";
  private static final String PAD_OPEN = "<wsa:ReferenceParameters><l:pad xmlns:l=\"urn:rns:load\">";
  private static final String PAD_CLOSE = "</l:pad></wsa:ReferenceParameters>";

  /** What stands in the reference of the junction of a name; {@code wsa} is the prefix of WS-Addressing. */
  String content(String name) {
    String address = "<wsa:Address>" + Call.addressOf(name) + "</wsa:Address>";
    int missing = bytes - address.length() - PAD_OPEN.length() - PAD_CLOSE.length();
    return missing <= 0 ? address : address + PAD_OPEN + "x".repeat(missing) + PAD_CLOSE;
  }

  public EndpointReference of(String name) {
    return bytes == 0
        ? EndpointReference.ofAddress(Call.addressOf(name))
        : EndpointReference.parse(OPEN + content(name) + CLOSE);
  }
}
