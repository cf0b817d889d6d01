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
final class AsapUser extends AsapConnection implements LoadClient {
  private final byte[] question;

  private AsapUser(InetSocketAddress registrar, String handle) throws IOException {
    super(registrar);
    question = AsapCodec.encode(new AsapMessage.HandleResolution(false, Octets.utf8(handle)));
  }

  static AsapUser of(InetSocketAddress registrar, String handle) {
    return Io.get("ASAP at " + registrar, () -> new AsapUser(registrar, handle));
  }

  @Override
  public boolean prepare() {
    return true;
  }

  @Override
  public @Nullable Failure perform() {
    try {
      send(question);
      AsapMessage answer = receive();
      return answer instanceof HandleResolutionResponse resolved && !resolved.elements().isEmpty()
          ? null
          : new Failure(FailureKind.UNEXPECTED_ANSWER, answer.toString());
    } catch (IOException e) {
      return new Failure(FailureKind.CONNECTION, String.valueOf(e.getMessage()));
    }
  }

  /** The bytes of an answer, padding included. */
  byte[] answer() throws IOException {
    send(question);
    byte[] answer = receiveBytes();
    return Arrays.copyOf(answer, answer.length + (-answer.length & 3));
  }

  @Override
  public void cut() {
    close();
  }
}
