package io.rns.server.partition;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.rns.api.RnsPath;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.server.http.ServerJson;
import io.rns.server.namespace.LocalNameService;
import io.rns.server.partition.RecordedMove.Reason;
import io.rns.server.partition.RecordedMove.State;
import io.rns.server.store.PartitionRecordTable;
import io.rns.server.store.PartitionRecordTable.Kind;
import io.rns.server.store.PartitionRecordTable.Row;
import java.io.IOException;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The decisions and moves of directories that the primary of the root's group has recorded, in the database of that
 * group: the next primary goes on with them. The last {@value PartitionRecordTable#KEPT} of each are kept. Thread-safe.
 */
final class Records {
  private static final Logger LOG = LoggerFactory.getLogger(Records.class);

  private final Supplier<LocalNameService> copy;
  private final InstantSource clock;

  Records(Supplier<LocalNameService> copy, InstantSource clock) {
    this.copy = copy;
    this.clock = clock;
  }

  // ---- decisions

  /** The newest decisions, the newest first. */
  List<DecisionJson> decisions(int most) {
    return latest(Kind.DECISION, most, row -> read(row, DecisionJson.class).numbered(row.number()));
  }

  /** The decision with a number; empty if it is not kept. */
  Optional<DecisionJson> decision(long number) {
    return copy.get().partitionRecords(connection -> PartitionRecordTable.find(connection, Kind.DECISION, number))
        .stream()
        .map(row -> read(row, DecisionJson.class).numbered(row.number()))
        .findFirst();
  }

  /** At the primary: records a decision. */
  DecisionJson write(DecisionJson decision) {
    return decision.numbered(write(Kind.DECISION, 0, decision));
  }

  // ---- moves

  /** The newest moves, the newest first. */
  List<RecordedMove> moves() {
    return latest(Kind.MOVE, PartitionRecordTable.KEPT, row -> read(row, RecordedMove.class).numbered(row.number()));
  }

  /** The last move that was not taken back yet. */
  static Optional<RecordedMove> undoable(List<RecordedMove> newestFirst) {
    Set<Long> undone = new HashSet<>();
    for (RecordedMove move : newestFirst) {
      if (move.state() == State.DONE && move.undoes() > 0) {
        undone.add(move.undoes());
      }
    }
    return newestFirst.stream()
        .filter(move -> move.state() == State.DONE && move.undoes() == 0 && !undone.contains(move.number()))
        .findFirst();
  }

  /**
   * At the primary: assigns a directory, and records that if it moves.
   *
   * @param from the group that owns its content
   * @param assignment gets the group that the content comes from, which may have ended to own it
   */
  AssignedJson recorded(RnsPath path, int from, int to, Reason reason, IntFunction<AssignedJson> assignment) {
    Optional<RecordedMove> latest =
        moves().stream()
            .filter(move -> move.path().equals(path))
            .findFirst()
            .filter(move -> move.state() == State.BEGUN);
    Optional<RecordedMove> open = latest.filter(move -> move.to() == to);
    if (open.isEmpty() && from == to) {
      AssignedJson stays = assignment.apply(from);
      latest.filter(move -> stays.isCancelled())
          .ifPresent(move -> end(move.failed("cancelled: it was assigned to server group " + to)));
      return stays;
    }
    RecordedMove move =
        open.orElseGet(
            () -> {
              RecordedMove begun = RecordedMove.begun(clock.instant(), path, from, to, reason);
              return begun.numbered(write(Kind.MOVE, 0, begun));
            });
    try {
      AssignedJson assigned = assignment.apply(move.from());
      if (assigned.served()) {
        end(move.done());
      }
      return assigned;
    } catch (RnsException e) {
      if (!isPassing(e)) {
        end(move.failed(String.valueOf(e.getMessage())));
      }
      throw e;
    }
  }

  /** Whether the assignment may go on, or be repeated. */
  static boolean isPassing(RnsException e) {
    return e.error() == RnsError.UNAVAILABLE || e.error() == RnsError.TIMEOUT || e.error() == RnsError.BUSY
        || e.error() == RnsError.NOT_PRIMARY;
  }

  /** The assignment counts, whatever becomes of its record: that is still open, and ends when it is repeated. */
  private void end(RecordedMove move) {
    try {
      long unused = write(Kind.MOVE, move.number(), move);
    } catch (RnsException e) {
      LOG.warn("the end of move {} of {} is not recorded: {}", move.number(), move.path(), e.getMessage());
    }
  }

  // ---- the table

  private <T> List<T> latest(Kind kind, int most, Function<Row, T> read) {
    return copy.get().partitionRecords(connection -> PartitionRecordTable.latest(connection, kind, most)).stream()
        .map(read).toList();
  }

  private long write(Kind kind, long number, Object document) {
    try {
      return copy.get().writePartitionRecord(kind, number, ServerJson.MAPPER.writeValueAsBytes(document));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a record cannot be written", e);
    }
  }

  private static <T> T read(Row row, Class<T> type) {
    try {
      return ServerJson.MAPPER.readValue(row.document(), type);
    } catch (IOException e) {
      throw new RnsException(RnsError.INTERNAL, "record " + row.number() + " about partitions cannot be read", e);
    }
  }
}
