package io.rns.cli;

import io.rns.client.http.TlsFailure;
import io.rns.client.http.TlsTrust;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Requests to an OpenID provider, whose answers are bounded in bytes and time. Redirects are not followed. Thread-safe.
 *
 * @param trust certificates of the provider that are accepted
 * @param limit how long one request may take in all
 */
record ProviderCalls(TlsTrust trust, Duration limit) {
  /** Largest answer that is read. */
  static final int MOST_BYTES = 262_144;

  /** How long a request may take. */
  static final Duration LIMIT = Duration.ofSeconds(15);

  private static final int BUFFER_BYTES = 8_192;

  /** An answer. */
  record Answer(URI address, int status, String body) {
    boolean isDone() {
      return status == HttpURLConnection.HTTP_OK;
    }

    /**
     * Its JSON object.
     *
     * @throws RnsException {@link RnsError#UNAVAILABLE} if it has none
     */
    FlatJson json() {
      try {
        return FlatJson.read(body);
      } catch (IOException e) {
        throw new RnsException(RnsError.UNAVAILABLE,
            address + " answers " + status + " without a JSON object: is this an OpenID provider?", e);
      }
    }
  }

  /**
   * Gets a document.
   *
   * @throws RnsException {@link RnsError#UNAVAILABLE} without an answer in time, or if it is too large
   */
  Answer get(URI address) {
    return ask(address, null);
  }

  /**
   * Sends a form.
   *
   * @throws RnsException {@link RnsError#UNAVAILABLE} without an answer in time, or if it is too large
   */
  Answer post(URI address, Map<String, String> form) {
    return ask(
        address,
        form.entrySet().stream().map(field -> encoded(field.getKey()) + "=" + encoded(field.getValue()))
            .collect(Collectors.joining("&")));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private Answer ask(URI address, @Nullable String form) {
    long until = System.nanoTime() + limit.toNanos();
    CompletableFuture<Answer> answer = new CompletableFuture<>();
    // A thread of its own: Java's client bounds each read, but not an answer of a byte at a time.
    Thread exchange =
        new Thread(() -> {
          try {
            answer.complete(exchange(address, form, until));
          } catch (IOException | RuntimeException e) {
            answer.completeExceptionally(e);
          }
        }, "rns-provider");
    exchange.setDaemon(true);
    exchange.start();
    try {
      return answer.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw unavailable(address, "no answer within " + limit.toMillis() + " ms", e);
    } catch (ExecutionException e) {
      String ofTls =
          e.getCause() instanceof IOException failure ? TlsFailure.reason(failure, address.getRawAuthority()) : null;
      throw unavailable(address, ofTls == null ? String.valueOf(e.getCause()) : ofTls, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unavailable(address, "interrupted", e);
    }
  }

  private static RnsException unavailable(URI address, String why, Exception cause) {
    return new RnsException(RnsError.UNAVAILABLE, "cannot use " + address + ": " + why, cause);
  }

  private Answer exchange(URI address, @Nullable String form, long until) throws IOException {
    HttpURLConnection http = trust.open(address);
    http.setConnectTimeout(Math.toIntExact(limit.toMillis()));
    http.setReadTimeout(Math.toIntExact(limit.toMillis()));
    http.setInstanceFollowRedirects(false);
    http.setUseCaches(false);
    http.setRequestProperty("Accept", "application/json");
    if (form != null) {
      http.setRequestMethod("POST");
      http.setDoOutput(true);
      try (OutputStream body = http.getOutputStream()) {
        body.write(form.getBytes(StandardCharsets.US_ASCII));
      }
    }
    int status = http.getResponseCode();
    try (InputStream body =
        status < HttpURLConnection.HTTP_BAD_REQUEST ? http.getInputStream() : http.getErrorStream()) {
      return new Answer(address, status, body == null ? "" : read(body, until));
    }
  }

  private static String read(InputStream body, long until) throws IOException {
    byte[] bytes = new byte[MOST_BYTES + 1];
    int count = 0;
    for (int more = 0; more >= 0 && count < bytes.length; more =
        body.read(bytes, count, Math.min(BUFFER_BYTES, bytes.length - count))) {
      count += more;
      if (System.nanoTime() - until > 0) {
        throw new IOException("the answer takes too long");
      }
    }
    if (count > MOST_BYTES) {
      throw new IOException("the answer has more than " + MOST_BYTES + " bytes");
    }
    return new String(bytes, 0, count, StandardCharsets.UTF_8);
  }
}
