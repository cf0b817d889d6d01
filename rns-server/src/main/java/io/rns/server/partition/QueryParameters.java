package io.rns.server.partition;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import jakarta.servlet.http.HttpServletRequest;

/** The parameters of a request. */
record QueryParameters(HttpServletRequest request) {
  /**
   * A parameter that has to be there.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST}
   */
  String required(String name) {
    String value = request.getParameter(name);
    if (value == null || value.isEmpty()) {
      throw new RnsException(RnsError.INVALID_REQUEST, "parameter '" + name + "' is missing");
    }
    return value;
  }

  /** The error of a parameter with a value that means nothing. */
  RnsException unknown(String name) {
    return new RnsException(
        RnsError.INVALID_REQUEST, "parameter '" + name + "' is '" + required(name) + "', which means nothing");
  }
}
