package io.rns.loadtest.service;

import io.rns.loadtest.http.StreamStart;
import io.rns.loadtest.measure.Failure;
import io.rns.loadtest.peer.HttpSession;
import io.rns.loadtest.work.Call;
import io.rns.loadtest.work.Kind;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A session of SOAP messages on a connection of its own; each watch opens another one. */
final class RawSession extends HttpSession {
  private final HttpTarget service;
  private final Messages messages;
  private final StreamStart watch;
  private byte[] watched = new byte[0];
  private boolean watching;

  RawSession(HttpTarget service, Messages messages) {
    super(service.address());
    this.service = service;
    this.messages = messages;
    watch = new StreamStart(service.address(), () -> watched);
  }

  @Override
  public void prepare(Call call) {
    watching = call.kind() == Kind.WATCH;
    if (watching) {
      watched = watchOf(call.path());
      watch.prepare();
    } else {
      prepare(service.post(messages.of(call)), Answers::soap);
    }
  }

  private byte[] watchOf(String path) {
    HttpTarget target = service.at(service.url().getRawPath().replaceFirst("/services/[^/]*$", "/watch"));
    String head =
        "GET " + target.url().getRawPath() + "?path=" + URLEncoder.encode(path, StandardCharsets.UTF_8)
            + " HTTP/1.1\r\nHost: " + target.url().getRawAuthority() + "\r\nAccept: text/event-stream\r\n\r\n";
    return head.getBytes(StandardCharsets.ISO_8859_1);
  }

  @Override
  public @Nullable Failure perform() {
    return watching ? watch.perform() : super.perform();
  }

  @Override
  public void cut() {
    watch.cut();
    super.cut();
  }

  @Override
  public void close() {
    watch.close();
    super.close();
  }
}
