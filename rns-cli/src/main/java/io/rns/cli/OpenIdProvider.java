package io.rns.cli;

import io.rns.client.http.SecureAddress;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * An OpenID provider, as its discovery document describes it.
 *
 * @param issuer as its tokens name it
 * @param token where tokens are issued
 * @param device where a sign-in from another device begins (RFC 8628)
 * @param revocation where tokens are revoked (RFC 7009)
 * @param scopes that it lists
 */
record OpenIdProvider(
    ProviderCalls calls,
    String issuer,
    URI token,
    Optional<URI> device,
    Optional<URI> revocation,
    Set<String> scopes) {
  private static final Duration USUAL_LIFE = Duration.ofMinutes(10);
  private static final Duration USUAL_INTERVAL = Duration.ofSeconds(5);
  private static final long MOST_INTERVAL_SECONDS = 300;
  private static final long MOST_LIFE_SECONDS = 1_800;
  private static final long MOST_TOKEN_SECONDS = 366L * 86_400;
  private static final int MOST_CHARACTERS = 300;

  /** Longest token that is taken: what a credential file may have. */
  private static final int MOST_TOKEN = 16_000;

  /** A sign-in that a person has to confirm elsewhere. */
  record Pending(
      String deviceCode, String address, Optional<String> completeAddress, String code, Duration life,
      Duration interval) {}

  /** What came of a request for a token. */
  sealed interface TokenAnswer {
    /**
     * A token.
     *
     * @param refresh to get the next one; empty for none
     * @param life how long it is valid; empty if not known
     */
    record Granted(String access, Optional<String> refresh, Optional<Duration> life) implements TokenAnswer {}

    /** None. */
    record Denied(String code, String description) implements TokenAnswer {}
  }

  /**
   * Reads the discovery document.
   *
   * @throws RnsException {@link RnsError#UNAVAILABLE} if it cannot be had; {@link RnsError#INVALID_REQUEST} if it is of
   *         another issuer or an address is not safe
   */
  static OpenIdProvider discover(String issuer, ProviderCalls calls) {
    URI document = secure("the issuer", issuer.replaceFirst("/+$", "") + "/.well-known/openid-configuration");
    ProviderCalls.Answer answer = calls.get(document);
    if (!answer.isDone()) {
      throw new RnsException(RnsError.UNAVAILABLE,
          document + " answers " + answer.status() + ": is '" + issuer + "' the address of an OpenID provider?");
    }
    FlatJson found = answer.json();
    if (!found.field("issuer").equals(issuer)) {
      throw new RnsException(RnsError.INVALID_REQUEST,
          "the provider at '" + issuer + "' calls itself '" + shown(found.field("issuer"))
              + "': use that address if it is the one you trust");
    }
    return new OpenIdProvider(
        calls, issuer, secure("its token endpoint", found.field("token_endpoint")),
        optional("its device endpoint", found.field("device_authorization_endpoint")),
        optional("its revocation endpoint", found.field("revocation_endpoint")),
        found.list("scopes_supported").stream().map(scope -> scope.getOrDefault(FlatJson.TEXT, ""))
            .collect(Collectors.toUnmodifiableSet()));
  }

  private static Optional<URI> optional(String what, String address) {
    return address.isEmpty() ? Optional.empty() : Optional.of(secure(what, address));
  }

  private static URI secure(String what, String address) {
    try {
      URI uri = URI.create(address);
      if (SecureAddress.isSecure(uri)) {
        return uri;
      }
    } catch (IllegalArgumentException e) {
      throw new RnsException(RnsError.INVALID_REQUEST, what + " '" + shown(address) + "' is no address", e);
    }
    throw new RnsException(RnsError.INVALID_REQUEST,
        what + " '" + shown(address) + "' is no https address (http only on this machine)");
  }

  /** A text of the provider for a terminal: without control characters, and not too long. */
  private static String shown(String text) {
    return text.codePoints().limit(MOST_CHARACTERS)
        .map(c -> Character.isISOControl(c) || Character.getType(c) == Character.FORMAT ? '?' : c)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append).toString();
  }

  /**
   * Begins a sign-in.
   *
   * @throws RnsException {@link RnsError#NOT_PERMITTED} if the provider refuses it
   */
  Pending begin(LoginClient client) {
    URI address =
        device.orElseThrow(
            () -> new RnsException(RnsError.NOT_PERMITTED, issuer + " offers no sign-in from other devices"));
    Map<String, String> form = client.form();
    if (!client.scope().isEmpty()) {
      form.put("scope", client.scope());
    }
    ProviderCalls.Answer answer = calls.post(address, form);
    if (!answer.isDone()) {
      TokenAnswer.Denied denied = denied(answer);
      throw new RnsException(RnsError.NOT_PERMITTED, "the provider refuses the sign-in: " + text(denied));
    }
    FlatJson json = answer.json();
    String complete = json.field("verification_uri_complete");
    String place = json.field("verification_uri").isEmpty() ? json.field("verification_url")
        : json.field("verification_uri");
    if (json.field("device_code").isEmpty() || json.field("user_code").isEmpty() || place.isEmpty()) {
      throw new RnsException(RnsError.UNAVAILABLE, address + " answers without a code or an address");
    }
    return new Pending(
        json.field("device_code"), shown(place), complete.isEmpty() ? Optional.empty() : Optional.of(shown(complete)),
        shown(json.field("user_code")), seconds(json, "expires_in", MOST_LIFE_SECONDS).orElse(USUAL_LIFE),
        seconds(json, "interval", MOST_INTERVAL_SECONDS).orElse(USUAL_INTERVAL));
  }

  private static Optional<Duration> seconds(FlatJson json, String field, long most) {
    try {
      long seconds = (long) Double.parseDouble(json.field(field));
      return Optional.of(Duration.ofSeconds(Math.max(1, Math.min(most, seconds))));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** Asks whether a sign-in was confirmed. */
  TokenAnswer poll(LoginClient client, Pending pending) {
    Map<String, String> form = client.form();
    form.put("grant_type", "urn:ietf:params:oauth:grant-type:device_code");
    form.put("device_code", pending.deviceCode());
    return answer(form);
  }

  /** Asks for the next token. */
  TokenAnswer refresh(LoginClient client, String refreshToken) {
    Map<String, String> form = client.form();
    form.put("grant_type", "refresh_token");
    form.put("refresh_token", refreshToken);
    return answer(form);
  }

  private TokenAnswer answer(Map<String, String> form) {
    ProviderCalls.Answer answer = calls.post(token, form);
    if (!answer.isDone()) {
      return denied(answer);
    }
    FlatJson json = answer.json();
    String access = json.field("access_token");
    if (!json.field("token_type").equalsIgnoreCase("Bearer") || !isToken(access)
        || (!json.field("refresh_token").isEmpty() && !isToken(json.field("refresh_token")))) {
      throw new RnsException(RnsError.UNAVAILABLE, token + " answers without a bearer token of 1 to " + MOST_TOKEN
          + " printable characters");
    }
    String refresh = json.field("refresh_token");
    return new TokenAnswer.Granted(
        access, refresh.isEmpty() ? Optional.empty() : Optional.of(refresh),
        seconds(json, "expires_in", MOST_TOKEN_SECONDS));
  }

  private static boolean isToken(String text) {
    return !text.isEmpty() && text.length() <= MOST_TOKEN && text.chars().allMatch(c -> c > ' ' && c < 127);
  }

  /**
   * What an answer of an error says.
   *
   * @throws RnsException {@link RnsError#UNAVAILABLE} if it says none, as when the provider is down
   */
  private static TokenAnswer.Denied denied(ProviderCalls.Answer answer) {
    FlatJson json = answer.json();
    if (json.field("error").isEmpty() || answer.status() >= HttpURLConnection.HTTP_INTERNAL_ERROR) {
      throw new RnsException(RnsError.UNAVAILABLE, answer.address() + " answers " + answer.status());
    }
    return new TokenAnswer.Denied(shown(json.field("error")), shown(json.field("error_description")));
  }

  /** An error for people. */
  static String text(TokenAnswer.Denied denied) {
    return denied.description().isEmpty() ? denied.code() : denied.description() + " (" + denied.code() + ")";
  }

  /**
   * Revokes a token.
   *
   * @param kind of token, as RFC 7009 names it
   * @return false if the provider offers no revocation
   * @throws RnsException if it offers it, but does not do it now
   */
  boolean revoke(LoginClient client, String revoked, String kind) {
    if (revocation.isEmpty()) {
      return false;
    }
    Map<String, String> form = new LinkedHashMap<>(Map.of("client_id", client.id()));
    form.put("token", revoked);
    form.put("token_type_hint", kind);
    ProviderCalls.Answer answer = calls.post(revocation.get(), form);
    if (!answer.isDone()) {
      throw new RnsException(RnsError.UNAVAILABLE,
          "the provider has not revoked the sign-in: " + revocation.get() + " answers " + answer.status());
    }
    return true;
  }
}
