package io.rns.identity;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The methods by which callers may prove who they are.
 *
 * @param accounts the file of local accounts; empty for none
 * @param issuers of bearer tokens
 * @param x509 whose certificates of clients
 */
public record IdentitySettings(Optional<Path> accounts, IssuerSettings issuers, X509Settings x509) {
  private static final TicketSource NO_TICKETS =
      new TicketSource() {
        @Override
        public Optional<TicketBook> book() {
          return Optional.empty();
        }

        @Override
        public long generation() {
          return 0;
        }
      };

  /** No method: every caller is anonymous. */
  public static final IdentitySettings NONE =
      new IdentitySettings(Optional.empty(), IssuerSettings.NONE, X509Settings.NONE);

  /**
   * Starts the methods without tickets.
   *
   * @throws IllegalArgumentException if a file of accounts or authorities cannot be read or is wrong
   */
  public Identification start(InstantSource clock) {
    return start(Optional.empty(), NO_TICKETS, clock);
  }

  /**
   * Starts the methods, with tickets if the servers have a secret.
   *
   * @param keys of tickets; empty for none
   * @param source what is known of tickets
   * @throws IllegalArgumentException if a file of accounts or authorities cannot be read or is wrong
   */
  public Identification start(Optional<TicketKeys> keys, TicketSource source, InstantSource clock) {
    List<CredentialVerifier> verifiers = new ArrayList<>();
    List<AutoCloseable> resources = new ArrayList<>();
    accounts.ifPresent(file -> verifiers.add(new AccountVerifier(file, clock)));
    keys.ifPresent(known -> verifiers.add(new TicketVerifier(known, source, clock)));
    if (!issuers.issuers().isEmpty()) {
      TokenVerifier tokens = new TokenVerifier(issuers, clock);
      verifiers.add(tokens);
      resources.add(tokens);
    }
    x509.authorities().ifPresent(
        files -> verifiers.add(new ChainVerifier(files, x509, clock)));
    return new Identification(verifiers, resources, clock);
  }
}
