package io.rns.loadtest.drill;

import io.rns.api.Position;
import io.rns.loadtest.drill.Recent.Written;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A session that reads from server to server what others have just written, by the tokens they hand over, and what was
 * written before.
 */
final class SessionReads implements Runnable {
  private static final long PATIENCE_MILLIS = 10;

  private final String name;
  private final Readers readers;
  private final Recent recent;
  private Optional<Position> token = Optional.empty();
  private volatile boolean stopping;

  SessionReads(String name, Readers readers, Recent recent) {
    this.name = name;
    this.readers = readers;
    this.recent = recent;
  }

  @Override
  public void run() {
    try {
      for (int turn = ThreadLocalRandom.current().nextInt(8); !stopping; turn++) {
        Optional<Written> written = recent.handedOver(PATIENCE_MILLIS);
        written.ifPresent(w -> see(w.position()));
        Optional<Written> wanted = written.isPresent() ? written : recent.any();
        if (wanted.isPresent()) {
          String path = wanted.get().path();
          readers.read(name, readers.server(turn), Optional.empty(), token, path).ifPresent(this::see);
          // Once more at the next server: what was seen must not go away.
          readers.read(name, readers.server(turn + 1), Optional.empty(), token, path).ifPresent(this::see);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void see(Position position) {
    if (token.isEmpty() || position.compareTo(token.get()) > 0) {
      token = Optional.of(position);
    }
  }

  void stop() {
    stopping = true;
  }
}
