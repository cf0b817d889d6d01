package io.rns.server.soap;

import io.rns.wire.Namespaces;

/** WS-Addressing actions of answers: the default pattern of WSDL 1.1, since RNS names none. */
final class Actions {
  static final String FAULT = "http://www.w3.org/2005/08/addressing/soap/fault";
  static final String BATCH = Namespaces.EXT + ":batchResponse";

  private Actions() {}

  static String of(String responseElement) {
    return Namespaces.RNS + "/RNSPortType/" + responseElement;
  }
}
