package io.rns.rserpool;

import java.util.Optional;

/** What happened to an element (RFC 5353, section 2.4). */
public enum UpdateAction {
  /** It was added or changed. */
  ADD_ELEMENT(0),
  /** It was removed. */
  DELETE_ELEMENT(1);

  private final int code;

  UpdateAction(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }

  static Optional<UpdateAction> ofCode(int code) {
    return code == 0 ? Optional.of(ADD_ELEMENT) : code == 1 ? Optional.of(DELETE_ELEMENT) : Optional.empty();
  }
}
