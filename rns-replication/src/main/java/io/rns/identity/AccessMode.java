package io.rns.identity;

import java.util.Locale;

/** What a server does about access rules. */
public enum AccessMode {
  /** Every caller may do everything, as far as the limits of its credential go. */
  OPEN,
  /** The same, but requests that {@link #CLOSED} would refuse are logged. */
  LOG,
  /** Callers may do what access rules grant, the administrators everything. */
  CLOSED;

  /** The word in settings and output. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
