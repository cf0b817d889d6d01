package io.rns.loadtest.pool;

import io.rns.loadtest.measure.Failure;
import io.rns.loadtest.measure.FailureKind;
import io.rns.loadtest.measure.LoadClient;
import io.rns.rserpool.AsapCodec;
import io.rns.rserpool.AsapMessage;
import io.rns.rserpool.AsapMessage.HandleResolutionResponse;
import io.rns.rserpool.Octets;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** Resolves a pool by ASAP. */
final class AsapUser implements LoadClient {
  private final InetSocketAddress registrar;
  private final byte[] question;
  private volatile @Nullable AsapConnection connection;

  AsapUser(InetSocketAddress registrar, Octets handle) {
    this.registrar = registrar;
    this.question = AsapCodec.encode(new AsapMessage.HandleResolution(false, handle));
  }

  @Override
  public boolean prepare() {
    return true;
  }

  @Override
  public @Nullable Failure perform() {
    try {
      AsapConnection open = connection;
      if (open == null) {
        open = new AsapConnection(registrar);
        connection = open;
      }
      open.send(question);
      AsapMessage answer = open.receive();
      return answer instanceof HandleResolutionResponse resolved && !resolved.elements().isEmpty()
          ? null
          : new Failure(FailureKind.UNEXPECTED_ANSWER, answer.toString());
    } catch (IOException e) {
      close();
      return new Failure(FailureKind.CONNECTION, String.valueOf(e.getMessage()));
    }
  }

  @Override
  public void cut() {
    close();
  }

  @Override
  public void close() {
    AsapConnection open = connection;
    connection = null;
    if (open != null) {
      open.close();
    }
  }
}
