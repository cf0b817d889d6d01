package io.rns.identity;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.BadJWSException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.BadJWTException;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import io.rns.api.Caller;
import io.rns.share.FairPlaces;
import java.net.http.HttpClient;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Tokens (JWT) that issuers have signed with asymmetric keys. Keys are kept for 5 minutes, for an hour longer while an
 * issuer does not answer, and fetched at most every 5 s for keys that are not known. Thread-safe.
 */
final class TokenVerifier implements CredentialVerifier, AutoCloseable {
  /** How far clocks may differ. */
  static final Duration SKEW = Duration.ofSeconds(60);

  /** After which a token is verified again, for keys that an issuer has withdrawn. */
  static final Duration LIFE = Duration.ofMinutes(10);

  /** How long a token may be valid at all. */
  static final Duration LONGEST = Duration.ofDays(30);

  private static final Set<JWSAlgorithm> ALGORITHMS =
      Set.of(
          JWSAlgorithm.RS256, JWSAlgorithm.RS384, JWSAlgorithm.RS512, JWSAlgorithm.PS256, JWSAlgorithm.PS384,
          JWSAlgorithm.PS512, JWSAlgorithm.ES256, JWSAlgorithm.ES384, JWSAlgorithm.ES512);

  private static final long KEYS_MILLIS = 300_000;
  private static final long KEYS_WAIT_MILLIS = 4_000;
  private static final long KEYS_PAUSE_MILLIS = 5_000;
  private static final long OUTAGE_MILLIS = 3_600_000;

  /** Tokens verified at a time, since each may wait for keys. */
  private static final int PLACES = 16;

  private final Map<String, TrustedIssuer> trusted = new HashMap<>();
  private final IssuerSettings settings;
  private final InstantSource clock;
  private final HttpClient http;
  private final FairPlaces places = new FairPlaces(PLACES, 1);

  private record TrustedIssuer(IssuerKeys keys, DefaultJWTProcessor<SecurityContext> processor) {}

  TokenVerifier(IssuerSettings settings, InstantSource clock) {
    this.settings = settings;
    this.clock = clock;
    this.http =
        HttpClient.newBuilder().sslContext(IssuerTls.context()).followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(Duration.ofSeconds(2)).build();
    for (String issuer : settings.issuers()) {
      IssuerKeys keys = new IssuerKeys(issuer, http);
      trusted.put(issuer, new TrustedIssuer(keys, processor(issuer, keys)));
    }
  }

  private DefaultJWTProcessor<SecurityContext> processor(String issuer, IssuerKeys keys) {
    DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();
    processor.setJWSTypeVerifier(
        new DefaultJOSEObjectTypeVerifier<>(JOSEObjectType.JWT, new JOSEObjectType("at+jwt"), null));
    processor.setJWSKeySelector(
        new JWSVerificationKeySelector<>(
            ALGORITHMS,
            JWKSourceBuilder.create(keys)
                .cache(KEYS_MILLIS, KEYS_WAIT_MILLIS)
                .refreshAheadCache(false)
                .rateLimited(KEYS_PAUSE_MILLIS)
                .outageTolerant(OUTAGE_MILLIS)
                .build()));
    processor.setJWTClaimsSetVerifier((claims, context) -> check(claims, issuer));
    return processor;
  }

  @Override
  public boolean accepts(Credential credential) {
    return credential instanceof Credential.Bearer bearer && bearer.token().chars().filter(c -> c == '.').count() == 2;
  }

  @Override
  public Verification verify(Credential credential, String origin) {
    String token = ((Credential.Bearer) credential).token();
    TrustedIssuer issuer;
    SignedJWT signed;
    try {
      signed = SignedJWT.parse(token);
      JWTClaimsSet claims = signed.getJWTClaimsSet();
      issuer = claims == null || claims.getIssuer() == null ? null : trusted.get(claims.getIssuer());
    } catch (ParseException | RuntimeException e) {
      return new Verification.Invalid("the token is not a signed JWT");
    }
    if (issuer == null) {
      return new Verification.Invalid("the token is of an issuer that this server does not trust");
    }
    FairPlaces.Result place = places.tryTake(origin, 1);
    if (place != FairPlaces.Result.TAKEN) {
      return new Verification.Undecided(
          true,
          place == FairPlaces.Result.OWN_LIMIT
              ? "this client has " + places.limit(origin) + " tokens being verified, its own limit"
              : "too many tokens are being verified");
    }
    try {
      return valid(issuer.processor().process(signed, null));
    } catch (KeySourceException e) {
      return noKeys();
    } catch (BadJWTException e) {
      return new Verification.Invalid(String.valueOf(e.getMessage()));
    } catch (BadJWSException e) {
      return new Verification.Invalid("the token has no valid signature of its issuer");
    } catch (BadJOSEException | JOSEException | RuntimeException e) {
      // Former keys serve during an outage, but a key that is not among them may be a new one.
      return issuer.keys().isFailing() && e instanceof BadJOSEException ? noKeys()
          : new Verification.Invalid("the token has no valid signature of its issuer");
    } finally {
      places.giveBack(origin, 1);
    }
  }

  private static Verification noKeys() {
    return new Verification.Undecided(false, "the keys of the token's issuer cannot be had at the moment");
  }

  private Verification valid(JWTClaimsSet claims) {
    TokenClaims read = TokenClaims.of(claims);
    Instant again = clock.instant().plus(LIFE);
    Instant end = claims.getExpirationTime().toInstant().plus(SKEW);
    return new Verification.Valid(
        new Caller(read.name(), read.groups(), read.limits()), end.isBefore(again) ? end : again);
  }

  private void check(JWTClaimsSet claims, String issuer) throws BadJWTException {
    Instant now = clock.instant();
    if (!issuer.equals(claims.getIssuer())) {
      throw new BadJWTException("the token is of another issuer");
    }
    String subject = claims.getSubject();
    if (subject == null || subject.isEmpty() || subject.length() > TokenClaims.MOST_CHARACTERS) {
      throw new BadJWTException("the token has no subject of 1 to " + TokenClaims.MOST_CHARACTERS + " characters");
    }
    if (!TokenClaims.isName(subject)) {
      throw new BadJWTException("the token's subject has control characters, or space at an end");
    }
    if (claims.getAudience().stream().noneMatch(settings.audiences()::contains)) {
      throw new BadJWTException("the token is for another audience than this server");
    }
    Optional<String> problem = TokenClaims.problem(claims);
    if (problem.isPresent()) {
      throw new BadJWTException(problem.get());
    }
    Date until = claims.getExpirationTime();
    if (until == null) {
      throw new BadJWTException("the token does not say when it expires");
    }
    if (!until.toInstant().plus(SKEW).isAfter(now)) {
      throw new BadJWTException("the token has expired");
    }
    if (until.toInstant().isAfter(now.plus(LONGEST))) {
      throw new BadJWTException("the token is valid for more than " + LONGEST.toDays() + " days");
    }
    for (Date begin : new Date[]{claims.getNotBeforeTime(), claims.getIssueTime()}) {
      if (begin != null && begin.toInstant().minus(SKEW).isAfter(now)) {
        throw new BadJWTException("the token is not valid yet");
      }
    }
  }

  @Override
  public long generation() {
    return 0;
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
