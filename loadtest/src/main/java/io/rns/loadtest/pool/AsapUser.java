package io.rns.loadtest.pool;

import io.rns.loadtest.launcher.Io;
import io.rns.loadtest.measure.Failure;
import io.rns.loadtest.measure.FailureKind;
import io.rns.loadtest.measure.LoadClient;
import io.rns.rserpool.AsapCodec;
import io.rns.rserpool.AsapMessage;
import io.rns.rserpool.AsapMessage.HandleResolutionResponse;
import io.rns.rserpool.Octets;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Resolves a pool by ASAP. */
final class AsapUser implements LoadClient {
  private final AsapConnection connection;
  private final byte[] question;

  AsapUser(InetSocketAddress registrar, String handle) {
    question = AsapCodec.encode(new AsapMessage.HandleResolution(false, Octets.utf8(handle)));
    connection = Io.get("ASAP at " + registrar, () -> new AsapConnection(registrar));
  }

  @Override
  public boolean prepare() {
    return true;
  }

  @Override
  public @Nullable Failure perform() {
    try {
      connection.send(question);
      AsapMessage answer = connection.receive();
      return answer instanceof HandleResolutionResponse resolved && !resolved.elements().isEmpty()
          ? null
          : new Failure(FailureKind.UNEXPECTED_ANSWER, answer.toString());
    } catch (IOException e) {
      return new Failure(FailureKind.CONNECTION, String.valueOf(e.getMessage()));
    }
  }

  /** The bytes of an answer, padding included. */
  byte[] answer() throws IOException {
    connection.send(question);
    byte[] answer = connection.receiveBytes();
    return Arrays.copyOf(answer, answer.length + (-answer.length & 3));
  }

  @Override
  public void cut() {
    connection.close();
  }

  @Override
  public void close() {
    connection.close();
  }
}
