package io.rns.identity;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Local accounts with passwords. The file is read again when it has changed; while it is wrong, the accounts read
 * before stay valid. Wrong passwords cost at most the time of {@link #PLACES} processors: further ones wait, and too
 * many are refused. Origins take turns, so that the wrong passwords of one do not keep out the others. Thread-safe.
 */
final class AccountVerifier implements CredentialVerifier {
  /** Hashes computed at a time, each with 19 MiB: half of the processors, at most 4. */
  static final int PLACES = Math.clamp(Runtime.getRuntime().availableProcessors() / 2, 1, 4);

  /** How long a verified password counts. */
  static final Duration LIFE = Duration.ofMinutes(10);

  private static final long CHECK_MILLIS = 1_000;
  private static final Logger LOG = LoggerFactory.getLogger(AccountVerifier.class);

  /** What is compared with if there is no account at all. */
  private static final PasswordHash NONE = PasswordHash.of("none");

  private final Path file;
  private final InstantSource clock;
  private final VerificationTurns turns = new VerificationTurns("passwords", PLACES);
  private volatile Known known;

  /** The accounts as last read. */
  private record Known(Map<String, Account> accounts, List<Object> file, long generation, long checkedMillis) {
    /**
     * What a password is compared with. For an unknown account it is the hash of some other one, always the same:
     * hashes may differ in cost, and the time of a refusal must not tell whether there is such an account.
     */
    PasswordHash hash(String name) {
      Account account = accounts.get(name);
      if (account == null && !accounts.isEmpty()) {
        account = accounts.values().stream().skip(Math.floorMod(name.hashCode(), accounts.size())).findFirst().get();
      }
      return account == null ? NONE : account.hash();
    }
  }

  /**
   * A verifier of a file.
   *
   * @throws IllegalArgumentException if it cannot be read or is wrong
   */
  AccountVerifier(Path file, InstantSource clock) {
    this.file = file;
    this.clock = clock;
    try {
      List<Object> state = state();
      this.known = new Known(AccountFile.read(file), state, 1, clock.millis());
    } catch (IOException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  @Override
  public boolean accepts(Credential credential) {
    return credential instanceof Credential.Basic;
  }

  @Override
  public Verification verify(Credential credential, String origin) {
    Credential.Basic basic = (Credential.Basic) credential;
    Known accounts = current();
    return turns.take(origin, () -> {
      boolean matches = accounts.hash(basic.account()).matches(basic.password());
      Account account = accounts.accounts().get(basic.account());
      return account != null && matches
          ? new Verification.Valid(account.caller(), clock.instant().plus(LIFE))
          : new Verification.Invalid("the account or its password is wrong");
    });
  }

  /** What the password of an account is compared with, known or not. */
  PasswordHash comparedWith(String account) {
    return current().hash(account);
  }

  @Override
  public long generation() {
    return current().generation();
  }

  /** The accounts; the file is looked at once a second. */
  private Known current() {
    Known before = known;
    return Math.abs(clock.millis() - before.checkedMillis()) < CHECK_MILLIS ? before : renewed();
  }

  private synchronized Known renewed() {
    Known before = known;
    long now = clock.millis();
    if (Math.abs(now - before.checkedMillis()) < CHECK_MILLIS) {
      return before;
    }
    known = at(state(), before, now);
    return known;
  }

  private Known at(List<Object> state, Known before, long now) {
    if (state.equals(before.file())) {
      return new Known(before.accounts(), state, before.generation(), now);
    }
    try {
      Map<String, Account> accounts = AccountFile.read(file);
      LOG.info("read {} accounts from {}", accounts.size(), file);
      return new Known(accounts, state, before.generation() + 1, now);
    } catch (IOException e) {
      LOG.error("the accounts read before stay valid: {}", e.toString());
      return new Known(before.accounts(), state, before.generation(), now);
    }
  }

  /** What differs when the file does; empty if there is none. */
  private List<Object> state() {
    try {
      BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
      return List.of(attributes.lastModifiedTime(), attributes.size(), String.valueOf(attributes.fileKey()));
    } catch (IOException e) {
      return List.of();
    }
  }
}
