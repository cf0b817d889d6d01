package io.rns.identity;

import eu.emi.security.authn.x509.ValidationError;
import eu.emi.security.authn.x509.ValidationErrorCode;
import eu.emi.security.authn.x509.ValidationResult;
import eu.emi.security.authn.x509.X509CertChainValidatorExt;
import eu.emi.security.authn.x509.impl.CertificateUtils;
import eu.emi.security.authn.x509.proxy.ProxyUtils;
import io.rns.api.Caller;
import io.rns.api.Right;
import io.rns.api.RnsPath;
import io.rns.api.Scope;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Certificate chains of clients, whose key TLS has verified, by the authorities in a directory or file. The caller is
 * the end entity: a proxy certificate stands for whom it was issued by. Its groups are those of VOMS. Thread-safe.
 */
final class ChainVerifier implements CredentialVerifier {
  /** After which a chain is verified again; also when the files of the authorities change. */
  static final Duration LIFE = Duration.ofMinutes(10);

  private static final String METHOD = "x509:";
  private static final Set<Right> ALL_BUT_ADMIN = EnumSet.complementOf(EnumSet.of(Right.ADMIN));

  /** A proxy that its issuer limited, as for jobs: good for names, but not for rules and administration. */
  private static final List<Set<Scope>> LIMITED = List.of(Set.of(new Scope(RnsPath.ROOT, ALL_BUT_ADMIN)));

  private static final Logger LOG = LoggerFactory.getLogger(ChainVerifier.class);

  private final WatchedFiles<X509CertChainValidatorExt> authorities;
  private final Optional<WatchedFiles<VomsServers>> voms;
  private final InstantSource clock;
  /** One after the other, in milliseconds each. */
  private final VerificationTurns turns = new VerificationTurns("certificates", 1);

  /**
   * A verifier.
   *
   * @param authorities the directory or file
   * @param settings with the same
   * @throws IllegalArgumentException if the files cannot be used
   */
  ChainVerifier(Path authorities, X509Settings settings, InstantSource clock) {
    // Other providers of the same name would do, too: the library asks for it by name.
    CertificateUtils.configureSecProvider();
    this.authorities =
        new WatchedFiles<>(authorities, root -> TrustedAuthorities.read(root, settings.revocationListsNeeded()), clock);
    this.voms = settings.voms().map(root -> new WatchedFiles<>(root, VomsServers::read, clock));
    this.clock = clock;
  }

  @Override
  public boolean accepts(Credential credential) {
    return credential instanceof Credential.Chain;
  }

  @Override
  public long generation() {
    // Neither ever gets less.
    return authorities.generation() + voms.map(WatchedFiles::generation).orElse(0L);
  }

  @Override
  public Verification verify(Credential credential, String origin) {
    return turns.take(origin, () -> verified(((Credential.Chain) credential).certificates()));
  }

  private Verification verified(List<X509Certificate> chain) {
    try {
      Instant now = clock.instant();
      Optional<String> problem = ChainRules.problem(chain, now);
      if (problem.isPresent()) {
        return new Verification.Invalid(problem.get());
      }
      X509Certificate[] presented = chain.toArray(X509Certificate[]::new);
      ValidationResult result = authorities.content().validate(presented);
      if (!result.isValid()) {
        return new Verification.Invalid(reason(result));
      }
      X509Certificate holder = ProxyUtils.getEndUserCertificate(presented);
      Optional<String> name = DistinguishedName.text(holder.getSubjectX500Principal());
      if (name.isEmpty()) {
        return new Verification.Invalid(
            "the certificate has no name, or a name of more than " + DistinguishedName.MOST_CHARACTERS
                + " characters");
      }
      return switch (groups(presented, now)) {
        case VomsGroups.Outcome.Wrong wrong -> new Verification.Invalid(wrong.reason());
        case VomsGroups.Outcome.Attested attested ->
          new Verification.Valid(
              new Caller(METHOD + name.get(), attested.groups(), ChainRules.isLimited(chain) ? LIMITED : List.of()),
              Stream.of(now.plus(LIFE), ChainRules.end(chain), attested.until()).min(Instant::compareTo).orElseThrow());
      };
    } catch (RuntimeException e) {
      // What the libraries throw at malformed extensions.
      LOG.warn("a certificate chain could not be verified", e);
      return new Verification.Invalid("the certificate chain is malformed");
    }
  }

  private VomsGroups.Outcome groups(X509Certificate[] chain, Instant now) {
    return voms
        .map(servers -> VomsGroups.of(chain, servers.content(), authorities.content(), now))
        .orElseGet(() -> new VomsGroups.Outcome.Attested(Set.of(), Instant.MAX));
  }

  /** What is wrong, without texts of the certificates. */
  private static String reason(ValidationResult result) {
    List<ValidationErrorCode> codes =
        result.getErrors().stream().map(ValidationError::getErrorCode).distinct().toList();
    if (codes.contains(ValidationErrorCode.certRevoked)) {
      return "the certificate, or one of its issuers, was revoked";
    }
    if (codes.contains(ValidationErrorCode.noTrustAnchorFound)
        || codes.contains(ValidationErrorCode.rootKeyIsValidButNotATrustAnchor)) {
      return "the certificate was not issued by an authority that this server trusts";
    }
    return "the certificate chain is not valid: "
        + codes.stream().limit(3).map(Enum::name).collect(Collectors.joining(", "));
  }
}
