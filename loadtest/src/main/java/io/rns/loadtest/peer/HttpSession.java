package io.rns.loadtest.peer;

import io.rns.loadtest.http.AnswerCheck;
import io.rns.loadtest.http.HttpClients;
import io.rns.loadtest.measure.Failure;
import io.rns.loadtest.measure.FailureKind;
import io.rns.loadtest.measure.LoadClient;
import io.rns.loadtest.work.Session;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** A session of requests on an HTTP connection of its own. */
public abstract class HttpSession implements Session {
  private final Exchange exchange;
  private final LoadClient connection;

  /** What is to be asked next, and what is expected. */
  private static final class Exchange {
    private byte[] request = new byte[0];
    private AnswerCheck check = answer -> FailureKind.UNEXPECTED_ANSWER;
  }

  /** One that connects with its first request. */
  protected HttpSession(InetSocketAddress server) {
    Exchange next = new Exchange();
    exchange = next;
    connection = HttpClients.of(server, 1, i -> () -> next.request, answer -> next.check.failureOf(answer)).get(0);
  }

  /**
   * Makes a request ready.
   *
   * @param check looks at its answer
   */
  protected final void prepare(byte[] request, AnswerCheck check) {
    exchange.request = request;
    exchange.check = check;
    connection.prepare();
  }

  @Override
  public @Nullable Failure perform() {
    return connection.perform();
  }

  @Override
  public void cut() {
    connection.cut();
  }

  @Override
  public final long reconnects() {
    return connection.reconnects();
  }

  @Override
  public void close() {
    connection.close();
  }
}
