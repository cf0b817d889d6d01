package io.rns.cli;

import io.rns.client.CredentialFile;
import io.rns.client.CredentialSource;
import io.rns.client.LocalAdministrator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the credential of a command. The first of these: a file with a token ({@code --token-file}); an account
 * ({@code RNS_USER}, {@code RNS_PASSWORD_FILE}); a token in {@code BEARER_TOKEN} or {@code BEARER_TOKEN_FILE}; the
 * administrator's in the data directory of a service on this machine, if the command is for that service only and names
 * no certificate; a token in {@code $XDG_RUNTIME_DIR/bt_u$UID} or {@code /tmp/bt_u$UID} (WLCG bearer token discovery).
 */
final class CommandCredentials {
  private static final String BEARER = "Bearer ";

  private final Map<String, String> environment;
  private final @Nullable Path tokenFile;
  private final Consumer<String> complain;

  CommandCredentials(
      Map<String, String> environment, @Nullable Path tokenFile, Consumer<String> complain) {
    this.environment = environment;
    this.tokenFile = tokenFile;
    this.complain = complain;
  }

  /**
   * The credential for some servers.
   *
   * @param data a data directory, or null for the usual one
   * @param onlyThese whether nothing else is asked, and the caller has named no certificate
   * @throws UncheckedIOException if a file that was named cannot be read
   */
  CredentialSource of(List<URI> servers, @Nullable Path data, boolean onlyThese) {
    return CredentialFile.named(environment, tokenFile, this::fromFile)
        .or(() -> onlyThese ? administrator(servers, data) : Optional.empty())
        .or(this::discovered)
        .orElse(CredentialSource.NONE);
  }

  /**
   * The token that the command has for servers of any service; empty if it has an account, or no credential.
   *
   * @throws UncheckedIOException if a file that was named cannot be read
   */
  Optional<String> bearerToken() {
    return of(List.of(), null, false).authorization(Optional.empty()).filter(header -> header.startsWith(BEARER))
        .map(header -> header.substring(BEARER.length()));
  }

  private String variable(String name) {
    return environment.getOrDefault(name, "").strip();
  }

  /** A token of {@code rns login} is renewed; whoever renews another one replaces the file. */
  private CredentialSource fromFile(Path file) {
    LoginStore store = LoginStore.of(file);
    try {
      Optional<SavedLogin> login = store.saved().filter(SavedLogin::isRenewable);
      return login.isPresent()
          ? new RenewedToken(store, login.get(), InstantSource.system(), complain)
          : CredentialFile.token(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The administrator's, if all servers are of the service that was started on the data directory last. */
  private Optional<CredentialSource> administrator(List<URI> servers, @Nullable Path data) {
    Path directory = data == null ? usualData() : data;
    Path file = directory.resolve("administrator");
    if (!Files.isReadable(file)) {
      return Optional.empty();
    }
    try {
      RunFile service = RunFile.in(directory);
      List<String> running = service.servers().stream().map(CommandCredentials::plain).toList();
      boolean here = servers.stream().map(CommandCredentials::plain).allMatch(running::contains);
      return here ? Optional.of(LocalAdministrator.in(file, service::process)) : Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path usualData() {
    String named = variable("RNS_DATA");
    return named.isEmpty() ? Terminal.home().resolve(".rns") : Path.of(named);
  }

  private static String plain(URI server) {
    return server.toString().replaceFirst("/+$", "");
  }

  private Optional<CredentialSource> discovered() {
    return LoginStore.found(environment).map(this::fromFile);
  }
}
