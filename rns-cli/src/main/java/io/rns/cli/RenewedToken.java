package io.rns.cli;

import io.rns.client.CredentialFile;
import io.rns.client.CredentialSource;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * The token of a sign-in, renewed before it expires and when a server refuses it. While it cannot be renewed, the
 * present one is used as long as servers accept it. A token that another program has put into the file is left alone.
 * Thread-safe.
 */
final class RenewedToken implements CredentialSource {
  private static final Duration PAUSE = Duration.ofSeconds(10);

  private final LoginStore store;
  private final CredentialFile token;
  private final InstantSource clock;
  private final Consumer<String> complain;
  private final ReentrantLock renewing = new ReentrantLock();
  private volatile SavedLogin login;
  private volatile Instant paused = Instant.MIN;
  private volatile boolean complained;

  /**
   * A token.
   *
   * @param complain gets the reason if it cannot be renewed, once
   * @throws UncheckedIOException if it cannot be read
   */
  RenewedToken(LoginStore store, SavedLogin login, InstantSource clock, Consumer<String> complain) {
    this.store = store;
    this.login = login;
    this.token = CredentialFile.token(store.token().path());
    this.clock = clock;
    this.complain = complain;
  }

  @Override
  public Optional<String> authorization(Optional<String> refused) {
    Optional<String> present = token.authorization(refused);
    Instant now = clock.instant();
    boolean unusable = login.isExpired(now) || (refused.isPresent() && refused.equals(present));
    if (now.isBefore(paused) || !(unusable || login.isDue(now))) {
      return present;
    }
    if (unusable) {
      renewing.lock();
    } else if (!renewing.tryLock()) {
      // Another thread renews it.
      return present;
    }
    try {
      renew(refused);
    } finally {
      renewing.unlock();
    }
    // Reads the file again.
    return token.authorization(present);
  }

  private void renew(Optional<String> refused) {
    if (clock.instant().isBefore(paused)) {
      return;
    }
    try {
      login =
          store.renew(
              clock,
              there -> there.isOfLogin()
                  && (there.login().isDue(clock.instant())
                      || refused.equals(there.token().map("Bearer "::concat))));
    } catch (RnsException e) {
      // What has ended does not begin again by itself.
      paused = e.error() == RnsError.NOT_AUTHENTICATED ? Instant.MAX : clock.instant().plus(PAUSE);
      complain(e);
    } catch (IOException e) {
      paused = clock.instant().plus(PAUSE);
      complain(e);
    }
  }

  private void complain(Exception why) {
    if (!complained) {
      complained = true;
      complain.accept("cannot renew the token: " + why.getMessage());
    }
  }
}
