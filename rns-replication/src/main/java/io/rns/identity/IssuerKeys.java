package io.rns.identity;

import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.JWKSetCacheRefreshEvaluator;
import com.nimbusds.jose.jwk.source.JWKSetParseException;
import com.nimbusds.jose.jwk.source.JWKSetRetrievalException;
import com.nimbusds.jose.jwk.source.JWKSetSource;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.JSONObjectUtils;
import io.rns.client.http.SecureAddress;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The keys of an issuer, where its discovery document (OpenID Connect, RFC 8414) says they are. Thread-safe. */
final class IssuerKeys implements JWKSetSource<SecurityContext> {
  /** Largest document that is read. */
  static final int MOST_BYTES = 262_144;

  /** For both documents together. */
  private static final Duration TIMEOUT = Duration.ofSeconds(3);
  private static final int OK = 200;
  private static final Logger LOG = LoggerFactory.getLogger(IssuerKeys.class);

  private final String issuer;
  private final HttpClient http;
  private volatile boolean failing;

  IssuerKeys(String issuer, HttpClient http) {
    this.issuer = issuer;
    this.http = http;
  }

  @Override
  public JWKSet getJWKSet(JWKSetCacheRefreshEvaluator evaluator, long now, SecurityContext context)
      throws JWKSetRetrievalException, JWKSetParseException {
    try {
      JWKSet keys = fetched();
      failing = false;
      return keys;
    } catch (JWKSetRetrievalException | JWKSetParseException e) {
      failing = true;
      // Clients hear only that there are no keys; former ones serve for a while.
      LOG.warn("{}", e.getMessage());
      throw e;
    }
  }

  /** Whether the keys could not be had when they were last fetched: then there may be new ones. */
  boolean isFailing() {
    return failing;
  }

  private JWKSet fetched() throws JWKSetRetrievalException, JWKSetParseException {
    long until = System.nanoTime() + TIMEOUT.toNanos();
    try {
      Map<String, Object> discovered =
          JSONObjectUtils.parse(
              get(URI.create(issuer.replaceFirst("/+$", "") + "/.well-known/openid-configuration"), until));
      String named = JSONObjectUtils.getString(discovered, "issuer");
      if (!issuer.equals(named)) {
        throw new JWKSetRetrievalException("the issuer at " + issuer + " calls itself " + named, null);
      }
      URI keys = JSONObjectUtils.getURI(discovered, "jwks_uri");
      if (keys == null || !SecureAddress.isSecure(keys)) {
        throw new JWKSetRetrievalException(issuer + " names no keys at an https address: " + keys, null);
      }
      return JWKSet.parse(get(keys, until));
    } catch (ParseException e) {
      throw new JWKSetParseException("the keys of " + issuer + " cannot be read: " + e.getMessage(), e);
    } catch (IOException | IllegalArgumentException e) {
      throw new JWKSetRetrievalException("the keys of " + issuer + " cannot be had: " + e.getMessage(), e);
    }
  }

  private String get(URI address, long until) throws IOException {
    HttpRequest request =
        HttpRequest.newBuilder(address).timeout(TIMEOUT).header("Accept", "application/json").GET().build();
    CompletableFuture<String> answer =
        http.sendAsync(request, HttpResponse.BodyHandlers.ofInputStream()).thenApplyAsync(IssuerKeys::body);
    try {
      return answer.get(Math.max(1, until - System.nanoTime()), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      boolean unused = answer.cancel(true);
      throw new IOException(address + " does not answer within " + TIMEOUT.toMillis() + " ms", e);
    } catch (ExecutionException e) {
      throw new IOException(address + ": " + e.getCause(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private static String body(HttpResponse<InputStream> response) {
    try (InputStream body = response.body()) {
      byte[] bytes = body.readNBytes(MOST_BYTES + 1);
      if (response.statusCode() != OK || bytes.length > MOST_BYTES) {
        throw new IllegalArgumentException(
            "status " + response.statusCode() + ", " + bytes.length + " bytes; allowed are " + MOST_BYTES);
      }
      return new String(bytes, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalArgumentException(e.toString(), e);
    }
  }

  @Override
  public void close() {
    // The HTTP client belongs to the verifier.
  }
}
