package io.rns.rserpool;

import java.util.Optional;

/** What a transport carries (RFC 5354, section 3.4). */
public enum TransportUse {
  /** Only data between users and the element. */
  DATA_ONLY(0),
  /** Data and the ASAP control channel. */
  DATA_AND_CONTROL(1);

  private final int code;

  TransportUse(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }

  static Optional<TransportUse> ofCode(int code) {
    return code == 0 ? Optional.of(DATA_ONLY) : code == 1 ? Optional.of(DATA_AND_CONTROL) : Optional.empty();
  }
}
