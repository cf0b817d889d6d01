package io.rns.loadtest.service;

import java.util.Locale;

/** By what the requests of a load are made. */
public enum LoadTransport {
  /** Prepared bytes, so that nearly all that is measured is the service. */
  RAW,
  /** The Java client library, so that what is measured is what its users get. */
  CLIENT;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
