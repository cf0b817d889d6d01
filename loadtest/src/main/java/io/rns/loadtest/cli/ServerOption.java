package io.rns.loadtest.cli;

import io.rns.client.RnsClient;
import java.net.URI;
import picocli.CommandLine.Option;

final class ServerOption {
  @Option(names = "--server", paramLabel = "URL", defaultValue = "${env:RNS_SERVER:-http://127.0.0.1:8080/rns}", description = "Service (default: $RNS_SERVER or http://127.0.0.1:8080/rns).") URI url;

  /** Where the service receives SOAP messages. */
  String endpoint() {
    return RnsClient.soapEndpoint(url).toString();
  }
}
