package io.rns.cli;

import io.rns.client.http.TlsFailure;
import io.rns.client.http.TlsTrust;
import io.rns.client.CredentialSource;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP answer of a server outside the names.
 *
 * @param address the address of the request
 * @param status the HTTP status
 * @param body the body
 */
record ServerDocument(URI address, int status, String body) {
  private static final int CONNECT_MILLIS = 10_000;
  private static final int HTTPS_NEEDED = 426;

  /** A document below the address of a server, with a time limit for the connection and for each read. */
  static ServerDocument get(TlsTrust trust, URI server, String path, int millis) {
    return ask(trust, "GET", server, path, millis, CredentialSource.NONE);
  }

  /** The answer to a request without a body. */
  static ServerDocument ask(
      TlsTrust trust, String method, URI server, String path, int millis, CredentialSource credentials) {
    URI address = below(server, path);
    return ask(trust, method, address, millis, credentials.authorization(address, Optional.empty()));
  }

  /** A document that may need a credential. */
  static ServerDocument get(TlsTrust trust, URI server, String path, CredentialSource credentials) {
    return ask(trust, "GET", server, path, CONNECT_MILLIS, credentials);
  }

  /** The address of a document. */
  static URI below(URI server, String path) {
    return URI.create(server.toString().replaceFirst("/+$", "") + path);
  }

  private static ServerDocument ask(
      TlsTrust trust, String method, URI address, int millis, Optional<String> authorization) {
    try {
      HttpURLConnection http = trust.open(address);
      http.setConnectTimeout(millis);
      http.setReadTimeout(millis);
      http.setInstanceFollowRedirects(false);
      http.setRequestMethod(method);
      authorization.ifPresent(value -> http.setRequestProperty("Authorization", value));
      if (method.equals("POST")) {
        // Not streamed: of a streamed request, Java hides the body of an answer 401.
        http.setDoOutput(true);
        http.getOutputStream().close();
      }
      int status = http.getResponseCode();
      try (InputStream body =
          status < HttpURLConnection.HTTP_BAD_REQUEST ? http.getInputStream() : http.getErrorStream()) {
        return new ServerDocument(address, status,
            body == null ? "" : new String(body.readAllBytes(), StandardCharsets.UTF_8));
      }
    } catch (IOException e) {
      String ofTls = TlsFailure.reason(e, address.getRawAuthority());
      String reason = ofTls == null ? e.getMessage() : ofTls;
      throw new RnsException(RnsError.UNAVAILABLE, "cannot read " + address + ": " + reason, e);
    }
  }

  /** Its JSON object. */
  FlatJson json() {
    try {
      return FlatJson.read(body);
    } catch (IOException e) {
      throw new RnsException(RnsError.UNAVAILABLE, address + " answers no JSON object: is this an RNS server?", e);
    }
  }

  /** This, if the request succeeded. */
  ServerDocument orThrow() {
    if (status == HttpURLConnection.HTTP_OK) {
      return this;
    }
    if (status == HTTPS_NEEDED) {
      throw new RnsException(RnsError.INVALID_REQUEST, TlsFailure.plain(address));
    }
    try {
      FlatJson said = FlatJson.read(body);
      if (!said.field("code").isEmpty()) {
        throw new RnsException(error(said.field("code")), said.field("message"));
      }
    } catch (IOException e) {
      // A page of another service: report its status.
      throw strange(e);
    }
    throw strange(null);
  }

  /** The error of a code; a newer server may send an unknown one. */
  private static RnsError error(String code) {
    return Arrays.stream(RnsError.values())
        .filter(known -> known.name().equals(code))
        .findFirst()
        .orElse(RnsError.UNAVAILABLE);
  }

  private RnsException strange(@Nullable IOException cause) {
    // An application server answers 404 until it has deployed the service.
    String hint = status == HttpURLConnection.HTTP_NOT_FOUND ? "no RNS server, or still starting"
        : "is this an RNS server?";
    return new RnsException(RnsError.UNAVAILABLE, address + " answers " + status + ": " + hint, cause);
  }
}
