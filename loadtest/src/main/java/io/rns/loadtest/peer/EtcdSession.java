package io.rns.loadtest.peer;

import io.rns.loadtest.http.Answer;
import io.rns.loadtest.http.BytePattern;
import io.rns.loadtest.measure.Failure;
import io.rns.loadtest.measure.FailureKind;
import io.rns.loadtest.work.Call;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** A connection to the JSON gateway of etcd, version 3 of its interface. Keys and values are in Base64. */
final class EtcdSession extends HttpSession {
  private static final int OK = 200;
  private static final BytePattern VALUE = BytePattern.of("\"value\":");
  private static final BytePattern SUCCEEDED = BytePattern.of("\"succeeded\":true");
  private static final BytePattern REVISION = BytePattern.of("\"revision\":");
  private static final int ATTEMPTS = 600;

  private final InetSocketAddress server;

  EtcdSession(InetSocketAddress server) {
    super(server);
    this.server = server;
  }

  private static @Nullable FailureKind failureOf(Answer answer, BytePattern expected) {
    if (answer.status() != OK) {
      return FailureKind.HTTP_STATUS;
    }
    return answer.contains(expected) ? null : FailureKind.UNEXPECTED_ANSWER;
  }

  @Override
  public void prepare(Call call) {
    switch (call.kind()) {
      case QUERY -> ask("range", "{\"key\":\"" + base64(call.path()) + "\"}", VALUE);
      case LIST -> ask("range", page(call.path()), VALUE);
      case ADD -> ask("txn", put(call.path(), Call.addressOf(call.path())), SUCCEEDED);
      case MKDIR -> ask("txn", put(call.path(), ""), SUCCEEDED);
      case UPDATE, MOVE, REMOVE, WATCH -> throw Peer.unknown(call);
    }
  }

  /** Keys from {@code /} behind the path on, up to the character after it. */
  private static String page(String path) {
    return "{\"key\":\"" + base64(path + "/") + "\",\"range_end\":\"" + base64(path + "0") + "\",\"limit\":\""
        + Peer.PAGE + "\"}";
  }

  /** A key that was never made has the revision 0. */
  private static String put(String path, String value) {
    String key = "\"key\":\"" + base64(path) + "\"";
    return "{\"compare\":[{\"target\":\"CREATE\",\"result\":\"EQUAL\"," + key + ",\"create_revision\":\"0\"}],"
        + "\"success\":[{\"request_put\":{" + key + ",\"value\":\"" + base64(value) + "\"}}]}";
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private void ask(String what, String body, BytePattern expected) {
    String head =
        "POST /v3/kv/" + what + " HTTP/1.1\r\nHost: 127.0.0.1:" + server.getPort()
            + "\r\nContent-Type: application/json\r\nContent-Length: "
            + body.length() + "\r\n\r\n";
    prepare((head + body).getBytes(StandardCharsets.ISO_8859_1), answer -> failureOf(answer, expected));
  }

  /** Asks for nothing in particular until there is an answer. */
  void awaitReady() {
    Failure last = null;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      ask("range", "{\"key\":\"" + base64("/") + "\"}", REVISION);
      last = perform();
      if (last == null) {
        return;
      }
      ServerProcess.pause();
    }
    throw Peer.missing("etcd does not answer: " + last);
  }
}
