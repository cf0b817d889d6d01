package io.rns.identity;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import io.rns.api.Caller;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.ticket.Ticket;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds out who a caller is by the {@code Authorization} header of its request, or else by the certificates that it has
 * presented. A valid credential is verified once and remembered by a keyed hash, at most as long as it is valid and
 * until what it depends on changes; an invalid one is remembered for a few seconds. A credential that is wrong is
 * refused, never taken for none. Thread-safe.
 */
public final class Identification implements AutoCloseable {
  /** Credentials that are remembered, valid and invalid ones each. */
  static final int MOST = 20_000;

  private static final Duration REFUSED = Duration.ofSeconds(10);

  private final List<CredentialVerifier> verifiers;
  private final List<AutoCloseable> resources;
  private final InstantSource clock;
  private final CredentialHash hash = new CredentialHash();
  private final Cache<CredentialHash.Value, Remembered> valid;
  private final Cache<CredentialHash.Value, Refused> invalid;

  private record Remembered(CredentialVerifier verifier, long generation, Caller caller, Instant until) {}

  private record Refused(CredentialVerifier verifier, long generation, Verification.Invalid why) {}

  /**
   * The methods of a server.
   *
   * @param verifiers in the order in which they are asked
   * @param resources closed with this
   */
  Identification(List<CredentialVerifier> verifiers, List<AutoCloseable> resources, InstantSource clock) {
    this.verifiers = List.copyOf(verifiers);
    this.resources = List.copyOf(resources);
    this.clock = clock;
    this.valid = Caffeine.newBuilder()
        .maximumSize(MOST)
        .expireAfter(
            Expiry.creating(
                (CredentialHash.Value unused,
                    Remembered found) -> positive(Duration.between(clock.instant(), found.until()))))
        .executor(Runnable::run)
        .build();
    this.invalid =
        Caffeine.newBuilder().maximumSize(MOST).expireAfterWrite(REFUSED).executor(Runnable::run).build();
  }

  /**
   * Who somebody is.
   *
   * @param until when that has to be found out again; earlier if {@link #generation} changes
   */
  public record Identified(Caller caller, Instant until) {}

  private static Duration positive(Duration time) {
    return time.isNegative() ? Duration.ZERO : time;
  }

  /**
   * Who sends a request.
   *
   * @param header the only {@code Authorization} header; null if there is none
   * @return {@link Caller#ANONYMOUS} without one
   * @throws RnsException as {@link #caller(String, List)}
   */
  public Caller caller(@Nullable String header) {
    return caller(header, List.of());
  }

  /**
   * Who sends a request.
   *
   * @param header the only {@code Authorization} header; null if there is none
   * @param chain the certificates that the client has presented, its own first, whose key TLS has verified. With a
   *        header they do not count: programs and browsers have certificates for other purposes, too
   * @return {@link Caller#ANONYMOUS} without both
   * @throws RnsException {@link RnsError#NOT_AUTHENTICATED} if the credential is wrong, {@link RnsError#BUSY} or
   *         {@link RnsError#UNAVAILABLE} if it cannot be verified at the moment
   */
  public Caller caller(@Nullable String header, List<X509Certificate> chain) {
    return caller(header, chain, () -> "");
  }

  /**
   * The same.
   *
   * @param origin finds where the request comes from, whose share of verifications it takes
   */
  public Caller caller(@Nullable String header, List<X509Certificate> chain, Supplier<String> origin) {
    if (header != null) {
      return identify(header, origin).caller();
    }
    return chain.isEmpty() ? Caller.ANONYMOUS : identify(chain, origin).caller();
  }

  /**
   * Who has presented certificates; for servers that remember it with the connection.
   *
   * @param chain at least one
   * @throws RnsException as {@link #caller(String, List)}
   */
  public Identified identified(List<X509Certificate> chain, String origin) {
    Remembered found = identify(chain, () -> origin);
    return new Identified(found.caller(), found.until());
  }

  /**
   * The ticket in an {@code Authorization} header, genuine or not; empty if it is none, or another credential. Whoever
   * has to treat tickets in another way asks here, so that no form of the header is read in two ways.
   *
   * @param header null if there is none
   */
  public static Optional<String> ticket(@Nullable String header) {
    return Optional.ofNullable(header).flatMap(Credential::parse)
        .map(credential -> credential instanceof Credential.Bearer bearer ? bearer.token() : "")
        .filter(Ticket::isTicket);
  }

  /** Grows whenever what was found out before may no longer hold. May read files, every 10 s. */
  public long generation() {
    return verifiers.stream().mapToLong(CredentialVerifier::generation).sum();
  }

  private Remembered identify(String header, Supplier<String> origin) {
    if (header.length() > Credential.MOST) {
      throw refused("the Authorization header has " + header.length() + " characters; allowed are " + Credential.MOST);
    }
    return identify(
        hash.of(header),
        () -> Credential.parse(header)
            .orElseThrow(() -> refused("the Authorization header is neither Bearer nor Basic, or malformed")),
        origin);
  }

  private Remembered identify(List<X509Certificate> chain, Supplier<String> origin) {
    try {
      return identify(hash.of(chain), () -> new Credential.Chain(chain), origin);
    } catch (CertificateEncodingException e) {
      throw new RnsException(RnsError.NOT_AUTHENTICATED, "the certificate has no encoding", e);
    }
  }

  private Remembered identify(CredentialHash.Value key, Supplier<Credential> given, Supplier<String> origin) {
    Remembered known = valid.getIfPresent(key);
    if (known != null && known.generation() == known.verifier().generation()
        && clock.instant().isBefore(known.until())) {
      return known;
    }
    Refused former = invalid.getIfPresent(key);
    if (former != null && former.generation() == former.verifier().generation()) {
      throw refused(former.why().reason());
    }
    return verify(given.get(), key, origin.get());
  }

  private Remembered verify(Credential credential, CredentialHash.Value key, String origin) {
    Optional<CredentialVerifier> verifier = verifiers.stream().filter(each -> each.accepts(credential)).findFirst();
    if (verifier.isEmpty()) {
      throw refused("this server accepts no such credential: " + scheme(credential));
    }
    long generation = verifier.get().generation();
    return switch (verifier.get().verify(credential, origin)) {
      case Verification.Valid found -> {
        Remembered remembered = new Remembered(verifier.get(), generation, found.caller(), found.until());
        valid.put(key, remembered);
        yield remembered;
      }
      case Verification.Invalid why -> {
        invalid.put(key, new Refused(verifier.get(), generation, why));
        throw refused(why.reason());
      }
      case Verification.Undecided why ->
        throw new RnsException(why.busy() ? RnsError.BUSY : RnsError.UNAVAILABLE, why.reason());
    };
  }

  private static String scheme(Credential credential) {
    return switch (credential) {
      case Credential.Basic basic -> "account and password";
      case Credential.Bearer bearer -> "bearer token of an unknown kind or issuer";
      case Credential.Chain chain -> "client certificate";
    };
  }

  private static RnsException refused(String why) {
    return new RnsException(RnsError.NOT_AUTHENTICATED, why);
  }

  @Override
  public void close() {
    for (AutoCloseable resource : resources) {
      try {
        resource.close();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
