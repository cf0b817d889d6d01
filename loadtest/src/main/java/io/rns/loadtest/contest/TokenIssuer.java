package io.rns.loadtest.contest;

import com.sun.net.httpserver.HttpServer;
import io.rns.loadtest.launcher.Io;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;

/** An issuer of bearer tokens on a free port of 127.0.0.1. Thread-safe. */
final class TokenIssuer implements AutoCloseable {
  static final String AUDIENCE = "rns-bench";
  static final String GROUP = "callers";

  private static final Duration LIFE = Duration.ofHours(12);
  private static final int COORDINATE_BYTES = 32;

  private final KeyPair keys;
  private final HttpServer server;

  private TokenIssuer(KeyPair keys, HttpServer server) {
    this.keys = keys;
    this.server = server;
  }

  static TokenIssuer start() {
    return Io.get("starting an issuer of tokens", () -> {
      HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      TokenIssuer issuer = new TokenIssuer(newKeys(), server);
      issuer.serve(
          "/.well-known/openid-configuration",
          "{\"issuer\":\"" + issuer.name() + "\",\"jwks_uri\":\"" + issuer.name() + "keys\"}");
      ECPublicKey key = (ECPublicKey) issuer.keys.getPublic();
      issuer.serve(
          "/keys",
          "{\"keys\":[{\"kty\":\"EC\",\"crv\":\"P-256\",\"alg\":\"ES256\",\"use\":\"sig\",\"kid\":\"1\",\"x\":\""
              + coordinate(key.getW().getAffineX()) + "\",\"y\":\"" + coordinate(key.getW().getAffineY()) + "\"}]}");
      server.start();
      return issuer;
    });
  }

  private static KeyPair newKeys() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private void serve(String path, String json) {
    byte[] body = json.getBytes(StandardCharsets.UTF_8);
    server.createContext(path, exchange -> {
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
      exchange.close();
    });
  }

  private static String coordinate(BigInteger value) {
    byte[] bytes = value.toByteArray();
    byte[] fixed = new byte[COORDINATE_BYTES];
    int length = Math.min(bytes.length, COORDINATE_BYTES);
    System.arraycopy(bytes, bytes.length - length, fixed, COORDINATE_BYTES - length, length);
    return base64(fixed);
  }

  private static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** Its name in tokens. */
  String name() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
  }

  /** A token of a caller in {@link #GROUP}. */
  String token(String subject) {
    long now = Instant.now().getEpochSecond();
    String claims =
        "{\"iss\":\"" + name() + "\",\"sub\":\"" + subject + "\",\"aud\":\"" + AUDIENCE + "\",\"iat\":" + now
            + ",\"exp\":" + (now + LIFE.toSeconds()) + ",\"wlcg.groups\":[\"" + GROUP + "\"]}";
    String signed =
        base64("{\"alg\":\"ES256\",\"typ\":\"JWT\",\"kid\":\"1\"}".getBytes(StandardCharsets.UTF_8)) + "."
            + base64(claims.getBytes(StandardCharsets.UTF_8));
    try {
      Signature signature = Signature.getInstance("SHA256withECDSAinP1363Format");
      signature.initSign(keys.getPrivate());
      signature.update(signed.getBytes(StandardCharsets.US_ASCII));
      return signed + "." + base64(signature.sign());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
