package io.rns.cli;

import io.rns.cli.OpenIdProvider.TokenAnswer;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Properties;

/**
 * A sign-in, as kept beside the token that it gave.
 *
 * @param ca trusted certificates of the provider; empty for those of Java
 * @param refreshToken to get the next token; empty for none
 * @param renewal when to get it; empty when a server refuses the present one
 * @param expires when the present token expires; empty if not known
 * @param tokenHash of the present token, to know it from tokens of others
 */
record SavedLogin(
    String issuer,
    LoginClient client,
    Optional<Path> ca,
    String refreshToken,
    Optional<Instant> renewal,
    Optional<Instant> expires,
    String tokenHash) {
  /** How long before its end a token is renewed, unless that is more than a third of its life. */
  private static final Duration MARGIN = Duration.ofSeconds(60);

  /** After a token was granted. */
  static SavedLogin of(
      String issuer, LoginClient client, Optional<Path> ca, TokenAnswer.Granted granted, Instant now) {
    return new SavedLogin(issuer, client, ca, "", Optional.empty(), Optional.empty(), "").with(granted, now);
  }

  /** With the next token. A provider that gives no new refresh token leaves the former one. */
  SavedLogin with(TokenAnswer.Granted granted, Instant now) {
    Optional<Instant> end = granted.life().map(now::plus);
    Optional<Instant> early =
        granted.life().map(
            life -> now.plus(life).minus(life.dividedBy(3).compareTo(MARGIN) < 0 ? life.dividedBy(3) : MARGIN));
    return new SavedLogin(
        issuer, client, ca, granted.refresh().orElse(refreshToken), early, end, hash(granted.access()));
  }

  boolean isRenewable() {
    return !refreshToken.isEmpty();
  }

  /** Whether its token is due for renewal. */
  boolean isDue(Instant now) {
    return renewal.filter(due -> !due.isAfter(now)).isPresent();
  }

  /** Whether its token has expired. */
  boolean isExpired(Instant now) {
    return expires.filter(end -> !end.isAfter(now)).isPresent();
  }

  /** Whether a token is the one that it gave last. */
  boolean gave(String token) {
    return MessageDigest.isEqual(tokenHash.getBytes(StandardCharsets.US_ASCII),
        hash(token).getBytes(StandardCharsets.US_ASCII));
  }

  private static String hash(String token) {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The text of its file. */
  String text() {
    Properties fields = new Properties();
    fields.setProperty("issuer", issuer);
    fields.setProperty("client", client.id());
    fields.setProperty("scope", client.scope());
    fields.setProperty("audience", client.audience());
    fields.setProperty("refresh", refreshToken);
    fields.setProperty("token", tokenHash);
    ca.ifPresent(file -> fields.setProperty("ca", file.toString()));
    renewal.ifPresent(time -> fields.setProperty("renewal", time.toString()));
    expires.ifPresent(time -> fields.setProperty("expires", time.toString()));
    StringWriter text = new StringWriter();
    try {
      fields.store(text, "Made by 'rns login', removed by 'rns logout'");
    } catch (IOException e) {
      throw new IllegalStateException("memory takes text", e);
    }
    return text.toString();
  }

  /**
   * Reads the text of a file.
   *
   * @throws IOException if it has another form; the message has nothing of it
   */
  static SavedLogin parse(String text, Path file) throws IOException {
    Properties fields = new Properties();
    try {
      fields.load(new StringReader(text));
      for (String name : new String[]{"issuer", "client", "scope", "audience", "refresh", "token"}) {
        if (fields.getProperty(name) == null) {
          throw new IllegalArgumentException(name);
        }
      }
      return new SavedLogin(
          fields.getProperty("issuer"),
          new LoginClient(fields.getProperty("client"), fields.getProperty("scope"), fields.getProperty("audience")),
          Optional.ofNullable(fields.getProperty("ca")).map(Path::of),
          fields.getProperty("refresh"),
          Optional.ofNullable(fields.getProperty("renewal")).map(Instant::parse),
          Optional.ofNullable(fields.getProperty("expires")).map(Instant::parse),
          fields.getProperty("token"));
    } catch (IllegalArgumentException | DateTimeException e) {
      throw new IOException("file '" + file + "' is not of 'rns login': remove it", e);
    }
  }
}
