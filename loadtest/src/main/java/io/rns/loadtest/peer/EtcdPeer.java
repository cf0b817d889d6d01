package io.rns.loadtest.peer;

import io.rns.loadtest.http.HttpAnswer;
import io.rns.loadtest.http.RawConnection;
import io.rns.loadtest.launcher.Poll;
import io.rns.loadtest.launcher.ServerProcess;
import io.rns.loadtest.measure.FailureKind;
import io.rns.loadtest.work.Call;
import io.rns.loadtest.work.Session;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * A single server of etcd, asked through its JSON gateway: a key for each entry, its path, whose value is the
 * reference.
 */
public final class EtcdPeer {
  private static final String QUOTA_BYTES = "8589934592";

  private EtcdPeer() {}

  public static PeerService start(Path directory, Programs programs) throws InterruptedException {
    Programs.Program etcd = programs.find("etcd");
    int port = ServerProcess.freePort();
    String clients = "http://127.0.0.1:" + port;
    // a server without others listens for them all the same
    String others = "http://127.0.0.1:" + ServerProcess.freePort();
    ServerProcess process = ServerProcess.listening(port, directory,
        etcd.command("usr/bin/etcd", "--name", "peer", "--data-dir", directory.resolve("data").toString(),
            "--listen-client-urls", clients, "--advertise-client-urls", clients, "--listen-peer-urls", others,
            "--initial-advertise-peer-urls", others, "--initial-cluster", "peer=" + others,
            "--quota-backend-bytes", QUOTA_BYTES, "--log-level", "error"));
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    String durability =
        "etcd " + etcd.version() + " of Debian, one server, default settings: the log is on disk before "
            + "a response, one sync for all waiting requests; JSON over HTTP, linearizable";
    return new ServerPeer(process, durability, () -> new EtcdSession(address)).after(() -> awaitLeader(address));
  }

  /** Returns when it has become the leader of itself and answers. */
  private static void awaitLeader(InetSocketAddress address) throws InterruptedException {
    try (EtcdSession session = new EtcdSession(address)) {
      Poll.until("etcd answers", session::answers);
    }
  }

  /** A connection to the JSON gateway of etcd, version 3 of its interface. Keys and values are in Base64. */
  private static final class EtcdSession extends RawConnection implements Session {
    private static final int OK = 200;
    private static final String VALUE = "\"value\":";
    private static final String SUCCEEDED = "\"succeeded\":true";
    private static final String REVISION = "\"revision\":";

    private final int port;

    EtcdSession(InetSocketAddress server) {
      super(server);
      port = server.getPort();
    }

    boolean answers() {
      ask("range", "{\"key\":\"" + base64("/") + "\"}", REVISION);
      return perform() == null;
    }

    @Override
    public void prepare(Call call) {
      switch (call.kind()) {
        case QUERY -> ask("range", "{\"key\":\"" + base64(call.path()) + "\"}", VALUE);
        case LIST -> ask("range", page(call.path()), VALUE);
        case ADD -> ask("txn", put(call.path(), Call.addressOf(call.path())), SUCCEEDED);
        case MKDIR -> ask("txn", put(call.path(), ""), SUCCEEDED);
        case UPDATE, MOVE, REMOVE, WATCH -> throw PeerService.unknown(call);
      }
    }

    /** Keys from {@code /} behind the path on, up to the character after it. */
    private static String page(String path) {
      return "{\"key\":\"" + base64(path + "/") + "\",\"range_end\":\"" + base64(path + "0") + "\",\"limit\":\""
          + PeerService.PAGE + "\"}";
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

    private void ask(String what, String body, String expected) {
      String head = "POST /v3/kv/" + what + " HTTP/1.1\r\nHost: 127.0.0.1:" + port
          + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n";
      prepare((head + body).getBytes(StandardCharsets.ISO_8859_1), answer -> failureOf(answer, expected));
    }

    private static @Nullable FailureKind failureOf(HttpAnswer answer, String expected) {
      if (answer.status() != OK) {
        return FailureKind.HTTP_STATUS;
      }
      return answer.contains(expected) ? null : FailureKind.UNEXPECTED_ANSWER;
    }
  }
}
