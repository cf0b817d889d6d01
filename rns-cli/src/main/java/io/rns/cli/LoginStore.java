package io.rns.cli;

import io.rns.cli.OpenIdProvider.TokenAnswer;
import io.rns.client.CredentialFile;
import io.rns.client.http.TlsTrust;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.file.PrivateFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A token in a file, and the sign-in that gave it, in a file beside it: {@code FILE.login}. Both are readable by their
 * owner only. Processes that renew the token take turns.
 *
 * @param token the file of the token
 */
record LoginStore(PrivateFile token) {
  private static final int MOST_BYTES = 65_536;

  /** How long another process may take to renew the token: two requests, and some. */
  private static final Duration TURN = ProviderCalls.LIMIT.multipliedBy(2).plusSeconds(5);

  /** Of the token in a file. */
  static LoginStore of(Path file) {
    return new LoginStore(new PrivateFile(file.toAbsolutePath()));
  }

  /**
   * Where the token of a user is stored: {@code bt_u$UID} in {@code $XDG_RUNTIME_DIR}, else in {@code /tmp} (WLCG
   * bearer token discovery); empty where users have no numbers.
   */
  static Optional<Path> usual(Map<String, String> environment) {
    return PrivateFile.user().map(user -> directories(environment).get(0).resolve("bt_u" + user));
  }

  /** The token of the user, if there is one. */
  static Optional<Path> found(Map<String, String> environment) {
    return PrivateFile.user()
        .flatMap(
            user -> directories(environment).stream().map(directory -> directory.resolve("bt_u" + user))
                .filter(file -> new PrivateFile(file).isOwn())
                .findFirst());
  }

  private static List<Path> directories(Map<String, String> environment) {
    String runtime = environment.getOrDefault("XDG_RUNTIME_DIR", "").strip();
    List<Path> directories = new ArrayList<>();
    if (!runtime.isEmpty() && Files.isDirectory(Path.of(runtime))) {
      directories.add(Path.of(runtime));
    }
    directories.add(Path.of("/tmp"));
    return directories;
  }

  /** The file of the sign-in. */
  PrivateFile login() {
    return new PrivateFile(token.path().resolveSibling(token.path().getFileName() + ".login"));
  }

  /**
   * The sign-in that gave the token; empty if it is from elsewhere.
   *
   * @throws IOException if its file cannot be read
   */
  Optional<SavedLogin> saved() throws IOException {
    PrivateFile file = login();
    if (!file.isOwn()) {
      return Optional.empty();
    }
    if (Files.size(file.path()) > MOST_BYTES) {
      throw new IOException("file '" + file.path() + "' has more than " + MOST_BYTES + " bytes: remove it");
    }
    return Optional.of(SavedLogin.parse(Files.readString(file.path()), file.path()));
  }

  /**
   * Keeps a sign-in and its token.
   *
   * @throws IOException if a file cannot be written
   */
  void keep(SavedLogin saved, String accessToken) throws IOException {
    login().write(saved.text());
    token.write(accessToken + "\n");
  }

  /**
   * Gets the next token.
   *
   * @param needed whether the token that is there now has to be replaced, asked when it is this process's turn
   * @return the sign-in afterwards
   * @throws IOException if there is no sign-in, or a file cannot be read or written
   * @throws RnsException {@link RnsError#NOT_AUTHENTICATED} if the sign-in has ended, {@link RnsError#UNAVAILABLE} if
   *         the provider does not answer
   */
  SavedLogin renew(InstantSource clock, Predicate<Present> needed) throws IOException {
    PrivateFile file = login();
    if (!file.isOwn()) {
      throw new IOException("file '" + file.path() + "' is not there: sign in with 'rns login'");
    }
    try (PrivateFile.Lock turn =
        file.lock(TURN).orElseThrow(() -> new RnsException(RnsError.UNAVAILABLE, "another command renews the token"))) {
      SavedLogin saved = SavedLogin.parse(turn.read(MOST_BYTES), file.path());
      Optional<String> present = token.isOwn() ? Optional.of(CredentialFile.read(token.path())) : Optional.empty();
      if (!needed.test(new Present(saved, present))) {
        return saved;
      }
      TokenAnswer answer = provider(saved).refresh(saved.client(), saved.refreshToken());
      if (answer instanceof TokenAnswer.Denied denied) {
        throw new RnsException(
            RnsError.NOT_AUTHENTICATED,
            "the sign-in has ended: " + OpenIdProvider.text(denied) + "; sign in with 'rns login'");
      }
      TokenAnswer.Granted granted = (TokenAnswer.Granted) answer;
      SavedLogin next = saved.with(granted, clock.instant());
      // First: a refresh token that a provider gave in exchange for the former one must not be lost.
      turn.write(next.text());
      token.write(granted.access() + "\n");
      return next;
    }
  }

  /**
   * What is there.
   *
   * @param token the token; empty without a readable file
   */
  record Present(SavedLogin login, Optional<String> token) {
    /** Whether the token in the file is of the sign-in. */
    boolean isOfLogin() {
      return token.filter(login::gave).isPresent();
    }
  }

  /** The provider of a sign-in. */
  static OpenIdProvider provider(SavedLogin saved) {
    TlsTrust trust = saved.ca().map(TlsTrust::file).orElse(TlsTrust.SYSTEM);
    return OpenIdProvider.discover(saved.issuer(), new ProviderCalls(trust, ProviderCalls.LIMIT));
  }

  /**
   * Revokes a sign-in: its refresh token, else the token that it gave.
   *
   * @return false if the provider offers no revocation, or nothing can be revoked
   * @throws RnsException if the provider offers it, but does not do it now
   */
  boolean revoke(SavedLogin saved) throws IOException {
    if (saved.isRenewable()) {
      return provider(saved).revoke(saved.client(), saved.refreshToken(), "refresh_token");
    }
    Optional<String> present = token.isOwn() ? Optional.of(CredentialFile.read(token.path())) : Optional.empty();
    return present.isPresent() && saved.gave(present.get())
        && provider(saved).revoke(saved.client(), present.get(), "access_token");
  }

  /**
   * Removes both files.
   *
   * @return the files that were there
   * @throws IOException if one of them cannot be removed
   */
  List<Path> remove() throws IOException {
    List<Path> removed = new ArrayList<>();
    for (PrivateFile file : List.of(token, login())) {
      if (file.isOwn() && Files.deleteIfExists(file.path())) {
        removed.add(file.path());
      }
    }
    return removed;
  }
}
