package io.rns.cli;

import io.rns.client.http.TlsTrust;
import io.rns.client.operator.SignedCalls;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;

/** Sends signed requests of an operator. */
final class Operator {
  private static final Duration CONNECT = Duration.ofSeconds(10);

  private final GroupSecret secret;
  private final SignedCalls calls;

  Operator(GroupSecret secret, Terminal terminal, TlsTrust trust) {
    this.secret = secret;
    this.calls =
        new SignedCalls(CONNECT, trust, secret.value(), InstantSource.system(),
            terminal::complain);
  }

  /**
   * Sends a request and returns the answer.
   *
   * @throws RnsException if the server refuses, or {@link RnsError#UNAVAILABLE} if it does not answer
   */
  ServerDocument ask(String method, URI server, String path, int timeoutMillis) {
    return ask(method, server, path, "", timeoutMillis);
  }

  /**
   * The same with a text, none if that is empty.
   *
   * @throws RnsException as the other does
   */
  ServerDocument ask(String method, URI server, String path, String body, int timeoutMillis) {
    return answer(server, path, () -> calls.ask(method, server, path, body, Duration.ofMillis(timeoutMillis)));
  }

  /**
   * Sends a file and returns the answer.
   *
   * @throws RnsException as {@link #ask}
   */
  ServerDocument upload(URI server, String path, Path file, Duration timeout) {
    return answer(server, path, () -> calls.upload("PUT", server, path, file, timeout));
  }

  /**
   * Downloads a file.
   *
   * @throws RnsException as {@link #ask}
   */
  void download(URI server, String path, Path into, Duration timeout) {
    ServerDocument unused = answer(server, path, () -> calls.download(server, path, into, timeout));
  }

  private interface Call {
    SignedCalls.Answer answer() throws IOException, InterruptedException;
  }

  private ServerDocument answer(URI server, String path, Call call) {
    URI address = ServerDocument.below(server, path);
    try {
      SignedCalls.Answer answer = call.answer();
      return new ServerDocument(address, answer.status(), answer.body()).orThrow();
    } catch (IOException e) {
      throw new RnsException(RnsError.UNAVAILABLE, "cannot read " + address + ": " + reason(e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RnsException(RnsError.UNAVAILABLE, "interrupted while waiting for " + server, e);
    } catch (RnsException e) {
      if (e.error() == RnsError.NOT_PERMITTED) {
        throw new RnsException(e.error(), e.getMessage() + "; it was signed with " + secret, e);
      }
      throw e;
    }
  }

  private static String reason(IOException e) {
    // The HTTP client of Java gives no message.
    return e instanceof ConnectException && e.getMessage() == null ? "cannot connect" : e.getMessage();
  }
}
