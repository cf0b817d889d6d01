package io.rns.server.soap;

/** WS-Addressing actions of answers that belong to no operation. */
final class Actions {
  static final String FAULT = "http://www.w3.org/2005/08/addressing/soap/fault";

  private Actions() {}
}
