package io.rns.cli;

import java.io.IOException;

/** Tickets as JSON. */
final class TicketOutput {
  private TicketOutput() {}

  static void made(Output output, String token, String id, String until) throws IOException {
    output.json().generator().writeStringField("token", token);
    output.json().generator().writeStringField("id", id);
    output.json().generator().writeStringField("until", until);
  }
}
