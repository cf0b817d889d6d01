package io.rns.cli;

import io.rns.client.CredentialSource;
import io.rns.client.http.SecureAddress;
import io.rns.client.http.TlsTrust;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.net.URI;
import java.util.List;

/** Requests about tickets. Those that change any go to the primary, wherever that is. */
record TicketCalls(TlsTrust trust, List<URI> servers, CredentialSource credentials) {
  private static final int MILLIS = 10_000;
  private static final String PRIMARY = "primary";

  /** The first answer. */
  FlatJson ask(String method, String path) {
    return FirstAnswer.of(servers, server -> ask(method, server, path)).json();
  }

  private ServerDocument ask(String method, URI server, String path) {
    try {
      return ServerDocument.ask(trust, method, server, path, MILLIS, credentials).orThrow();
    } catch (RnsException e) {
      if (e.error() != RnsError.NOT_PRIMARY) {
        throw e;
      }
      URI primary =
          ServerDocument.get(trust, server, "/status", MILLIS).orThrow().json().list("servers").stream()
              .filter(other -> PRIMARY.equals(other.get("role")) && other.get("url") != null)
              .map(other -> URI.create(other.get("url")))
              .filter(other -> SecureAddress.isFollowed(server, other)).findFirst().orElseThrow(() -> e);
      return ServerDocument.ask(trust, method, primary, path, MILLIS, credentials).orThrow();
    }
  }
}
