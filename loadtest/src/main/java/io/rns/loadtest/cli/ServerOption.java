package io.rns.loadtest.cli;

import io.rns.client.CredentialFile;
import io.rns.client.CredentialSource;
import io.rns.client.LocalAdministrator;
import io.rns.client.RnsClient;
import io.rns.client.http.TlsTrust;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.launcher.LoadtestEnvironment;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

final class ServerOption {
  @Option(names = "--server", paramLabel = "URL", defaultValue = "${env:RNS_SERVER:-http://127.0.0.1:8080/rns}", description = "Service (default: $RNS_SERVER or http://127.0.0.1:8080/rns).") URI url;

  @Option(names = "--ca", paramLabel = "FILE", defaultValue = "${env:RNS_CA:-}", description = "Trusted certificates of an HTTPS service (default: $$RNS_CA, or Java's and those in --data).") String authority =
      "";

  /**
   * The credential that was named, else that of the administrator of a service that runs on a data directory, if all
   * servers are of it.
   *
   * @throws RnsException {@link RnsError#UNAVAILABLE} if the administrator's may not be sent to one of the servers
   */
  CredentialSource credentials(@Nullable Path tokenFile, Path data, List<URI> servers) {
    return CredentialFile.named(LoadtestEnvironment.variables(), tokenFile, CredentialFile::token)
        .or(() -> servers.stream().allMatch(RunningService.in(data)::isAt)
            ? Optional.of(data.resolve("administrator")).filter(Files::isReadable).map(file -> checked(file, servers))
            : Optional.empty())
        .orElse(CredentialSource.NONE);
  }

  /** Who listens is checked once, before the load: it takes as long as a request. */
  private static CredentialSource checked(Path administrator, List<URI> servers) {
    LocalAdministrator account = LocalAdministrator.in(administrator, server -> Optional.empty());
    servers.forEach(server -> account.authorization(server, Optional.empty()));
    return CredentialFile.account(administrator);
  }

  /** The certificates accepted from an HTTPS service; with a data directory also those of its authority. */
  TlsTrust trust(Optional<Path> data) {
    if (!authority.isEmpty()) {
      return TlsTrust.file(Path.of(authority));
    }
    return data.map(directory -> directory.resolve("tls/ca.pem"))
        .filter(file -> url.getScheme().equals("https") && Files.isReadable(file))
        .map(TlsTrust::fileAndSystem)
        .orElse(TlsTrust.SYSTEM);
  }

  /** Where the service receives SOAP messages. */
  String endpoint() {
    return RnsClient.soapEndpoint(url).toString();
  }
}
