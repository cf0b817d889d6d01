package io.rns.loadtest;

import io.rns.loadtest.http.RequestSource;
import io.rns.loadtest.measure.Failure;
import io.rns.loadtest.measure.LoadClient;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** In the place of a server: requests are made, but go nowhere. What is measured is the generator. */
final class NoServer implements LoadClient {
  private final RequestSource source;
  private int bytes;

  private NoServer(RequestSource source) {
    this.source = source;
  }

  static List<LoadClient> clients(int count, IntFunction<RequestSource> sources) {
    List<LoadClient> clients = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      clients.add(new NoServer(sources.apply(i)));
    }
    return clients;
  }

  @Override
  public boolean prepare() {
    byte[] request = source.next();
    bytes = request == null ? 0 : request.length;
    return bytes > 0;
  }

  @Override
  public @Nullable Failure perform() {
    return null;
  }

  @Override
  public void cut() {}

  @Override
  public void close() {}
}
