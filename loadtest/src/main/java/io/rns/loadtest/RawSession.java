package io.rns.loadtest;

import io.rns.loadtest.http.HttpClients;
import io.rns.loadtest.http.StreamStart;
import io.rns.loadtest.measure.Failure;
import io.rns.loadtest.measure.LoadClient;
import io.rns.loadtest.work.Call;
import io.rns.loadtest.work.Kind;
import io.rns.loadtest.work.Session;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A session of SOAP messages on a connection of its own; for a watch there is another one. */
final class RawSession implements Session {
  private final HttpTarget service;
  private final CallMessages messages;
  private final LoadClient connection;
  private final StreamStart watch;
  private volatile LoadClient current;
  private byte[] request = new byte[0];

  RawSession(HttpTarget service, CallMessages messages) {
    this.service = service;
    this.messages = messages;
    connection = HttpClients.of(service.address(), 1, i -> () -> request, Answers::soap).get(0);
    watch = new StreamStart(service.address(), () -> request);
    current = connection;
  }

  @Override
  public void prepare(Call call) {
    boolean watches = call.kind() == Kind.WATCH;
    request = watches ? watchOf(call.path()) : service.post(messages.of(call));
    current = watches ? watch : connection;
    current.prepare();
  }

  private byte[] watchOf(String path) {
    HttpTarget watched = service.at(service.url().getRawPath().replaceFirst("/services/[^/]*$", "/watch"));
    String head =
        "GET " + watched.url().getRawPath() + "?path=" + URLEncoder.encode(path, StandardCharsets.UTF_8)
            + " HTTP/1.1\r\n"
            + "Host: " + watched.url().getRawAuthority() + "\r\nAccept: text/event-stream\r\n\r\n";
    return head.getBytes(StandardCharsets.ISO_8859_1);
  }

  @Override
  public @Nullable Failure perform() {
    return current.perform();
  }

  @Override
  public void cut() {
    current.cut();
  }

  @Override
  public long reconnects() {
    return connection.reconnects();
  }

  @Override
  public void close() {
    connection.close();
    watch.close();
  }
}
