package io.rns.client.operator;

import com.sun.net.httpserver.HttpExchange;
import io.rns.operator.OperatorKey;
import io.rns.operator.Signature;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** Signatures as a server has to do with them. */
public final class SignedExchange {
  private SignedExchange() {}

  /**
   * Which of some secrets a request was signed with; empty if none.
   *
   * @param context the path of the server
   */
  public static Optional<String> secret(HttpExchange exchange, String context, List<String> secrets) {
    String path = exchange.getRequestURI().toString().substring(context.length());
    Optional<Signature> signature =
        Optional.ofNullable(exchange.getRequestHeaders().getFirst(OperatorKey.HEADER)).flatMap(Signature::parse);
    return secrets.stream()
        .filter(
            secret -> signature
                .filter(given -> new OperatorKey(secret).isRequest(given, exchange.getRequestMethod(), path))
                .isPresent())
        .findFirst();
  }

  /** Answers a signed request, with a signature by a secret. */
  public static void answer(HttpExchange exchange, String secret, int status, long millis, String text)
      throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    String nonce = Signature.parse(exchange.getRequestHeaders().getFirst(OperatorKey.HEADER)).orElseThrow().nonce();
    Signature signature = new OperatorKey(secret).signAnswer(status, millis, nonce, OperatorKey.digest(body));
    exchange.getResponseHeaders().set(OperatorKey.HEADER, signature.header());
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
  }
}
