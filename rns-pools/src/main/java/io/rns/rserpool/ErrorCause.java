package io.rns.rserpool;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * One cause of an operation error (RFC 5354, section 3.12).
 *
 * @param code 16 bits; one of the constants, or unknown here
 * @param information details; the format depends on the code
 */
public record ErrorCause(int code, Octets information) {
  /** No details. */
  public static final int UNSPECIFIED = 0;

  /** The information is the parameter. */
  public static final int UNRECOGNISED_PARAMETER = 1;

  /** The information is the message. */
  public static final int UNRECOGNISED_MESSAGE = 2;

  /**
   * A value is invalid: a handle that is not a path, or the root; an unknown policy, or other data for it; lifetime 0;
   * a transport other than TCP, UDP, opaque.
   */
  public static final int INVALID_VALUES = 3;

  /** Another element of the pool, without a common address, has the id. */
  public static final int ID_NOT_UNIQUE = 4;

  /** The pool has another policy. */
  public static final int OTHER_POLICY = 5;

  /** A limit of the registrar is reached, it is starting, or no element can be selected. */
  public static final int NO_RESOURCES = 6;

  /** The pool uses another transport. */
  public static final int OTHER_TRANSPORT = 7;

  /** The elements of the pool separate data and control, or combine them. */
  public static final int OTHER_TRANSPORT_USE = 8;

  /** No pool has the handle. */
  public static final int UNKNOWN_HANDLE = 9;

  /** Rejected for security reasons. */
  public static final int SECURITY = 10;

  /** A cause with a text for people. */
  public static ErrorCause of(int code, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(bytes.length, WireLimits.CAUSE_TEXT_BYTES);
    return new ErrorCause(code, Octets.of(Arrays.copyOf(bytes, length)));
  }
}
