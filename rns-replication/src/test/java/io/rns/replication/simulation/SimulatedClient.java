package io.rns.replication.simulation;

import io.rns.api.Position;
import io.rns.api.Positions;
import java.util.BitSet;
import java.util.random.RandomGenerator;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** A client in a session: writes, and reads what it and all others wrote, one request after the other. */
final class SimulatedClient {
  private static final long TIMEOUT_NANOS = 3_000_000_000L;
  private static final int THINK_NANOS = 150_000_000;

  private static final BitSet NOTHING = new BitSet();

  private final VirtualGroup group;
  private final RandomGenerator random;
  private final IntSupplier nextWrite;
  private final BitSet seen = new BitSet();
  private @Nullable Position position;
  private int server;
  private int request;
  private EventQueue.@Nullable Event timeout;

  SimulatedClient(VirtualGroup group, RandomGenerator random, IntSupplier nextWrite) {
    this.group = group;
    this.random = random;
    this.nextWrite = nextWrite;
    this.server = random.nextInt(group.size());
  }

  void start() {
    request++;
    if (timeout != null) {
      group.time().cancel(timeout);
    }
    group.time().after(random.nextInt(THINK_NANOS), this::ask);
    timeout = group.time().schedule(TIMEOUT_NANOS, () -> {
      server = random.nextInt(group.size());
      start();
    });
  }

  private void ask() {
    int current = request;
    int kind = random.nextInt(4);
    VirtualServer asked = group.server(kind == 3 ? random.nextInt(group.size()) : server);
    BitSet required = switch (kind) {
      case 2 -> group.check().acknowledged();
      case 3 -> (BitSet) seen.clone();
      default -> NOTHING;
    };
    group.time().after(group.network().delay(), () -> {
      if (asked.process().isAlive()) {
        asked.process().deliver(() -> {
          switch (kind) {
            case 2 -> readLatest(asked, required, current);
            case 3 -> readInSession(asked, required, current);
            default -> write(asked, current);
          }
        });
      } else {
        answered(asked, current, false);
      }
    });
  }

  private void write(VirtualServer asked, int current) {
    int write = nextWrite.getAsInt();
    asked.write(write, answer -> {
      if (answer instanceof SimulatedWriter.Answer.Done(Position made) && current == request) {
        seen.set(write);
        reach(made);
      }
      answered(asked, current, answer instanceof SimulatedWriter.Answer.Done);
    });
  }

  private void reach(Position other) {
    if (position == null || other.compareTo(position) > 0) {
      position = other;
    }
  }

  private void readLatest(VirtualServer asked, BitSet required, int current) {
    SimulatedCopy copy = asked.latestCopy();
    if (copy != null) {
      group.check().read("primary at " + asked.url(), required, copy.writes());
    }
    answered(asked, current, copy != null);
  }

  private void readInSession(VirtualServer asked, BitSet required, int current) {
    SimulatedCopy copy = asked.copyAt(position == null ? Positions.NONE : Positions.of(position));
    if (copy != null && current == request) {
      group.check().read("session at " + asked.url(), required, copy.writes());
      seen.or(copy.writes());
      reach(copy.position());
    }
    answered(asked, current, true);
  }

  /** The answer comes, or a reference to the primary, or neither. */
  private void answered(VirtualServer asked, int current, boolean done) {
    if (current != request) {
      return;
    }
    if (!done) {
      server = asked.state().primary()
          .map(url -> Integer.parseInt(url.substring(url.lastIndexOf('s') + 1)))
          .filter(primary -> primary != asked.number)
          .orElseGet(() -> random.nextInt(group.size()));
    }
    start();
  }
}
