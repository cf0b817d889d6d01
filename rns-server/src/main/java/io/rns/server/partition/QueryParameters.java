package io.rns.server.partition;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

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

  /** A parameter that may be missing. */
  Optional<String> optional(String name) {
    return Optional.ofNullable(request.getParameter(name));
  }

  /** The error of a parameter with a value that means nothing. */
  RnsException unknown(String name) {
    return new RnsException(
        RnsError.INVALID_REQUEST, "parameter '" + name + "' is '" + required(name) + "', which means nothing");
  }

  /**
   * One of the constants, by its name in lower case, or the initial one.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} if it is none of them
   */
  <E extends Enum<E>> E oneOf(String name, E initial, E[] all) {
    String text = request.getParameter(name);
    return text == null
        ? initial
        : Arrays.stream(all)
            .filter(each -> each.name().toLowerCase(Locale.ROOT).equals(text))
            .findFirst()
            .orElseThrow(() -> unknown(name));
  }

  /**
   * A number, or the initial one.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} if it is none, or out of bounds
   */
  double number(String name, double initial, double least, double most) {
    String text = request.getParameter(name);
    if (text == null) {
      return initial;
    }
    double number = text.matches("[0-9]{1,12}([.][0-9]{1,6})?") ? Double.parseDouble(text) : Double.NaN;
    if (!(number >= least && number <= most)) {
      throw new RnsException(
          RnsError.INVALID_REQUEST,
          String.format(
              Locale.ROOT, "parameter '%s' is '%s', not a number from %.0f to %.0f", name, text, least, most));
    }
    return number;
  }
}
