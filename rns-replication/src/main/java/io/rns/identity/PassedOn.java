package io.rns.identity;

import io.rns.api.Caller;
import java.util.Optional;

/** What another server, or a front, says of who sends a request. */
public sealed interface PassedOn {
  /** Name of the server or front that passed the request on. */
  String server();

  /**
   * The caller is known.
   *
   * @param server name of the server or front that passed it on
   * @param digest SHA-256 of the message that was signed, in hexadecimal; to be compared with the one that came. Empty
   *        if only the rest was signed
   */
  record Known(Caller caller, String server, Optional<String> digest) implements PassedOn {}

  /**
   * The client has presented a certificate that is refused.
   *
   * @param reason for the client
   */
  record Refused(String reason, String server) implements PassedOn {}
}
