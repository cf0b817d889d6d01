package io.rns.issuer;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** An issuer of tokens (JWT) on this machine. Thread-safe. */
public final class TestIssuer implements AutoCloseable {
  private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicInteger fetches = new AtomicInteger();
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Map<String, String> extra = new ConcurrentHashMap<>();
  private volatile KeyPair key;
  private volatile int keyNumber = 1;
  private volatile Behaviour behaviour = Behaviour.USUAL;

  /** How it answers when it is asked for its keys. */
  public enum Behaviour {
    /** With its keys. */
    USUAL,
    /** With status 500. */
    FAILING,
    /** With a few bytes, and no more until it is closed. */
    STALLING,
    /** With many megabytes. */
    HUGE
  }

  /** Starts it with a key. */
  public TestIssuer() {
    try {
      key = newKey();
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    server.setExecutor(threads);
    server.createContext(
        "/.well-known/openid-configuration",
        exchange -> send(exchange,
            "{\"issuer\":\"" + url() + "\",\"jwks_uri\":\"" + url() + "/keys\"" + endpoints() + "}"));
    server.createContext("/keys", this::keys);
    server.start();
  }

  private String endpoints() {
    StringBuilder text = new StringBuilder();
    extra.forEach((name, path) -> text.append(",\"" + name + "\":\"" + url() + path + "\""));
    return text.toString();
  }

  private static KeyPair newKey() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(2_048);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private void keys(HttpExchange exchange) throws IOException {
    fetches.incrementAndGet();
    switch (behaviour) {
      case USUAL -> send(exchange, keySet());
      case FAILING -> {
        exchange.sendResponseHeaders(500, -1);
        exchange.close();
      }
      case STALLING -> {
        exchange.sendResponseHeaders(200, 0);
        exchange.getResponseBody().write("{\"keys\":[".getBytes(StandardCharsets.UTF_8));
        exchange.getResponseBody().flush();
        try {
          closing.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
        exchange.close();
      }
      case HUGE -> {
        exchange.sendResponseHeaders(200, 0);
        try (OutputStream body = exchange.getResponseBody()) {
          byte[] spaces = " ".repeat(65_536).getBytes(StandardCharsets.UTF_8);
          for (int i = 0; i < 1_000; i++) {
            body.write(spaces);
          }
          body.write(keySet().getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
          // The client has seen enough.
        }
      }
    }
  }

  private static void send(HttpExchange exchange, String json) throws IOException {
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, bytes.length);
    try (OutputStream body = exchange.getResponseBody()) {
      body.write(bytes);
    }
  }

  /** Its name and address. */
  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Answers further requests, and names the path in the discovery document. */
  public void endpoint(String name, String path, Endpoint answer) {
    server.createContext(path, exchange -> {
      String form = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      Reply reply = answer.answer(form);
      byte[] bytes = reply.json().getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(reply.status(), bytes.length);
      try (OutputStream body = exchange.getResponseBody()) {
        body.write(bytes);
      }
    });
    extra.put(name, path);
  }

  /** What answers a form. */
  public interface Endpoint {
    /** The answer. */
    Reply answer(String form);
  }

  /** An answer. */
  public record Reply(int status, String json) {}

  /** How often it was asked for its keys. */
  public int fetches() {
    return fetches.get();
  }

  /** Answers in another way from now on. */
  public void behave(Behaviour now) {
    behaviour = now;
  }

  /** Signs with a new key from now on, and names only that. */
  public synchronized void rotate() {
    keyNumber++;
    key = newKey();
  }

  /** The public key as PEM-like bytes, for attacks that use it as a secret. */
  public byte[] publicKey() {
    return key.getPublic().getEncoded();
  }

  private String keySet() {
    RSAPublicKey rsa = (RSAPublicKey) key.getPublic();
    return "{\"keys\":[{\"kty\":\"RSA\",\"use\":\"sig\",\"kid\":\"" + kid() + "\",\"n\":\"" + unsigned(rsa.getModulus())
        + "\",\"e\":\"" + unsigned(rsa.getPublicExponent()) + "\"}]}";
  }

  private static String unsigned(BigInteger number) {
    byte[] bytes = number.toByteArray();
    int from = bytes[0] == 0 ? 1 : 0;
    return BASE64.encodeToString(java.util.Arrays.copyOfRange(bytes, from, bytes.length));
  }

  /** The name of the present key. */
  public String kid() {
    return "key-" + keyNumber;
  }

  /**
   * A token.
   *
   * @param claims the members of a JSON object, without braces
   */
  public String token(String claims) {
    return signed("{\"alg\":\"RS256\",\"kid\":\"" + kid() + "\"}", "{" + claims + "}");
  }

  /** Claims of a token that is valid for an hour, as members of a JSON object. */
  public String claims(String subject, String audience, long nowSeconds) {
    return "\"iss\":\"" + url() + "\",\"sub\":\"" + subject + "\",\"aud\":\"" + audience + "\",\"iat\":" + nowSeconds
        + ",\"exp\":" + (nowSeconds + 3_600);
  }

  /** A token with any header, signed with the present key (RS256). */
  public String signed(String header, String claims) {
    String content = text(header) + "." + text(claims);
    try {
      Signature signature = Signature.getInstance("SHA256withRSA");
      signature.initSign(key.getPrivate());
      signature.update(content.getBytes(StandardCharsets.US_ASCII));
      return content + "." + BASE64.encodeToString(signature.sign());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Base64 of a text as tokens have it. */
  public static String text(String json) {
    return BASE64.encodeToString(json.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void close() {
    closing.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
