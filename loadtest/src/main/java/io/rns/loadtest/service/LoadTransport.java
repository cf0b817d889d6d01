package io.rns.loadtest.service;

/** By what the requests of a load are made. */
public enum LoadTransport {
  /** Prepared bytes, so that nearly all that is measured is the service. */
  RAW("raw"),
  /** The Java client library, so that what is measured is what its users get. */
  CLIENT("client");

  private final String label;

  LoadTransport(String label) {
    this.label = label;
  }

  /** The name on the command line. */
  @Override
  public String toString() {
    return label;
  }
}
