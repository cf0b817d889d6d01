package io.rns.replication.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How a replica receives from its source: connects, again after a while, and gets all that the source logs. */
final class ReplicationStream {
  private static final long RETRY_NANOS = Duration.ofSeconds(1).toNanos();
  /** A replica that hears nothing for so long connects again. */
  private static final long SILENCE_NANOS = Duration.ofSeconds(2).toNanos();

  private final SimulatedDatabase source;
  private final SimulatedDatabase replica;
  private final VirtualGroup group;
  private @Nullable SimulatedProcess connectedTo;
  private boolean closed;
  private boolean sending;
  private int sent;
  private int received;
  private int acknowledged;
  /** Counts the connections, so that what belongs to an earlier one is ignored. */
  private int connection;
  private boolean watched;

  ReplicationStream(SimulatedDatabase source, SimulatedDatabase replica) {
    this.source = source;
    this.replica = replica;
    this.group = source.group();
  }

  boolean isConnected() {
    return connectedTo != null;
  }

  /** How many transactions of the source's log the replica has acknowledged. */
  int acknowledged() {
    return acknowledged;
  }

  void connect() {
    group.time().after(group.network().delay(), () -> replica.process().deliver(this::tryConnect));
  }

  private boolean reaches() {
    return group.network().connects(VirtualNetwork.Kind.DATABASES, replica.number, source.number);
  }

  private void tryConnect() {
    if (closed || isConnected()) {
      return;
    }
    if (!source.process().answers() || !reaches() || source == replica) {
      retry();
      return;
    }
    String refusal = refusal();
    if (!refusal.isEmpty()) {
      replica.reportTrouble(refusal);
      close();
      return;
    }
    connectedTo = source.process();
    connection++;
    sending = false;
    sent = source.log().purged();
    while (sent < source.log().size() && replica.hasReceived(source.log().get(sent))) {
      sent++;
    }
    // A source takes it that a replica has safely what it does not ask for.
    received = sent;
    acknowledged = sent;
    source.attach(this);
    pump();
  }

  /** Why the source refuses the replica. */
  private String refusal() {
    SimulatedTransaction last = replica.lastReceived();
    if (source.engine() == Engine.MARIADB && last != null && !source.log().has(last)) {
      return "error 1236: the position is not in the log of the source";
    }
    for (int i = 0; i < source.log().purged(); i++) {
      if (!replica.hasReceived(source.log().get(i))) {
        return "error 1236: the source has purged transactions that the replica lacks";
      }
    }
    return "";
  }

  private void retry() {
    group.time().after(RETRY_NANOS, () -> replica.process().deliver(this::tryConnect));
  }

  /** Sends what is new, if nothing is under way. */
  void pump() {
    if (!isConnected() || sending || sent >= source.log().size() || source.process().isPaused()) {
      return;
    }
    if (!reaches()) {
      watchSilence();
      return;
    }
    sending = true;
    long slowed = replica.receiveDelayNanos();
    // A slow replica has a backlog on the way, as large as what the source logs meanwhile.
    int upTo = slowed == 0 ? source.log().size() : sent + 1;
    List<SimulatedTransaction> batch = new ArrayList<>(upTo - sent);
    for (int i = sent; i < upTo; i++) {
      batch.add(source.log().get(i));
    }
    sent = upTo;
    int current = connection;
    group.time().after(group.network().delay() + slowed,
        () -> replica.process().deliver(() -> arrive(batch, upTo, current)));
  }

  private void arrive(List<SimulatedTransaction> batch, int upTo, int current) {
    if (closed || current != connection) {
      return;
    }
    sending = false;
    replica.receive(batch, () -> {
      if (current == connection) {
        received = Math.max(received, upTo);
        acknowledge();
      }
    });
    pump();
  }

  private void acknowledge() {
    SimulatedProcess to = connectedTo;
    if (closed || to == null || received == acknowledged) {
      return;
    }
    if (reaches()) {
      int upTo = received;
      int current = connection;
      group.time().after(group.network().delay(), () -> to.deliver(() -> hear(upTo, current)));
    } else {
      watchSilence();
    }
  }

  /** Sends again what a cut link has swallowed. */
  void resume() {
    pump();
    acknowledge();
  }

  private void hear(int upTo, int current) {
    if (!closed && current == connection) {
      acknowledged = Math.max(acknowledged, upTo);
      source.release();
    }
  }

  /** A link that stays cut, or a source that stays paused, is noticed after a while. */
  void watchSilence() {
    if (isConnected() && !watched) {
      watched = true;
      int current = connection;
      group.time().after(SILENCE_NANOS, () -> {
        watched = false;
        if (current == connection && !closed && !(reaches() && source.process().answers())) {
          breakUp();
        }
      });
    }
  }

  /** The connection is lost; the replica makes another one. */
  void breakUp() {
    if (isConnected()) {
      connectedTo = null;
      connection++;
      source.detach(this);
      if (!closed) {
        retry();
      }
    }
  }

  /** Ends it, at the replica's will or with the replica. */
  void close() {
    closed = true;
    breakUp();
  }
}
