package io.rns.loadtest.contest;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import io.rns.loadtest.launcher.Io;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;

/** An issuer of bearer tokens on a free port of 127.0.0.1. Thread-safe. */
record TokenIssuer(ECKey key, HttpServer server) implements AutoCloseable {
  static final String AUDIENCE = "rns-bench";
  static final String GROUP = "callers";

  private static final Duration LIFE = Duration.ofHours(12);

  static TokenIssuer start() {
    HttpServer server = Io.get("starting an issuer of tokens",
        () -> HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
    try {
      ECKey key = new ECKeyGenerator(Curve.P_256).keyID("1").algorithm(JWSAlgorithm.ES256).keyUse(KeyUse.SIGNATURE)
          .generate();
      TokenIssuer issuer = new TokenIssuer(key, server);
      issuer.serve("/.well-known/openid-configuration",
          "{\"issuer\":\"" + issuer.name() + "\",\"jwks_uri\":\"" + issuer.name() + "keys\"}");
      issuer.serve("/keys", new JWKSet(key).toString(true));
      server.start();
      return issuer;
    } catch (JOSEException e) {
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

  /** Its name in tokens. */
  String name() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
  }

  /** A token of a caller in {@link #GROUP}. */
  String token(String subject) {
    Instant now = Instant.now();
    JWTClaimsSet claims = new JWTClaimsSet.Builder().issuer(name()).subject(subject).audience(AUDIENCE)
        .issueTime(Date.from(now)).expirationTime(Date.from(now.plus(LIFE))).claim("wlcg.groups", List.of(GROUP))
        .build();
    JWSHeader header =
        new JWSHeader.Builder(JWSAlgorithm.ES256).type(JOSEObjectType.JWT).keyID(key.getKeyID()).build();
    SignedJWT token = new SignedJWT(header, claims);
    try {
      token.sign(new ECDSASigner(key));
      return token.serialize();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
