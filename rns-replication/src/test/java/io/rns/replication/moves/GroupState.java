package io.rns.replication.moves;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the database of a server group has committed: a value, each commit makes the next one.
 *
 * @param group its number
 * @param position how many commits there were
 * @param rows the entries by identity
 * @param departures the entries that are moving away
 * @param answers to requests with an id
 * @param traces where entries have gone
 * @param reflected positions of other groups
 */
record GroupState(
    int group, int position, Map<Integer, Row> rows, Map<Integer, Departure> departures, Map<String, Answer> answers,
    Map<Integer, Integer> traces, Map<Integer, Integer> reflected) {
  /** The directory that is always there, one in each group. */
  static final int TOP = 0;

  GroupState {
    rows = Map.copyOf(rows);
    departures = Map.copyOf(departures);
    answers = Map.copyOf(answers);
    traces = Map.copyOf(traces);
    reflected = Map.copyOf(reflected);
  }

  /** An entry in a directory of the same group. */
  record Row(int directory, String name, boolean isDirectory, boolean marked) {
    Row at(int there, String as) {
      return new Row(there, as, isDirectory, false);
    }

    Row marked(boolean now) {
      return new Row(directory, name, isDirectory, now);
    }
  }

  /**
   * An entry that is moving away.
   *
   * @param departed the position of its mark
   * @param reflected positions of other groups, at the mark
   */
  record Departure(
      int entry, int from, int departed, int to, int directory, String name, boolean isDirectory,
      Map<Integer, Integer> reflected) {
    String id() {
      return "move-" + from + "-" + departed;
    }
  }

  /**
   * What a request was answered.
   *
   * @param departure of one that began a move
   * @param reflected positions of other groups
   */
  record Answer(boolean done, int position, Optional<Departure> departure, Map<Integer, Integer> reflected) {}

  /** A state after a request, and its answer. */
  record Next(GroupState state, Answer answer) {}

  static GroupState empty(int group) {
    return new GroupState(group, 0, Map.of(), Map.of(), Map.of(), Map.of(), Map.of());
  }

  /** The entry of a name. */
  Optional<Map.Entry<Integer, Row>> find(int directory, String name) {
    return rows.entrySet().stream()
        .filter(each -> each.getValue().directory() == directory && each.getValue().name().equals(name)).findFirst();
  }

  boolean isEmpty(int directory) {
    return rows.values().stream().noneMatch(row -> row.directory() == directory);
  }

  private boolean takesEntries(int directory, Defect defect) {
    Row row = rows.get(directory);
    return directory == TOP
        || (row != null && row.isDirectory() && (!row.marked() || defect == Defect.ENTRIES_IN_A_MARKED_DIRECTORY));
  }

  GroupState add(int entry, Row row) {
    return new Draft().put(entry, row).commit();
  }

  /** Step 1. */
  Next depart(String request, int entry, int to, int directory, String name, Defect defect) {
    Answer known = answers.get(request);
    if (known != null) {
      return new Next(this, known);
    }
    Row row = rows.get(entry);
    if (row == null || row.marked() || (row.isDirectory() && !isEmpty(entry))) {
      // A marked entry is an error to be repeated, and not an answer to be kept.
      return row != null && row.marked()
          ? new Next(this, new Answer(false, position, Optional.empty(), reflected))
          : new Draft().answered(request, new Answer(false, position + 1, Optional.empty(), reflected));
    }
    Departure departure =
        new Departure(entry, group, position + 1, to, directory, name, row.isDirectory(), reflected);
    Draft draft = new Draft();
    if (defect != Defect.NO_MARK) {
      draft.put(entry, row.marked(true));
    }
    draft.departures.put(entry, departure);
    return draft.answered(request, new Answer(true, position + 1, Optional.of(departure), reflected));
  }

  /** Step 2, which decides. */
  Next arrive(Departure departure, Defect defect) {
    Answer known = answers.get(departure.id());
    if (known != null && defect != Defect.NO_ANSWERS_KEPT) {
      return new Next(this, known);
    }
    boolean done =
        takesEntries(departure.directory(), defect) && find(departure.directory(), departure.name()).isEmpty();
    Draft draft = new Draft();
    if (done) {
      draft.put(departure.entry(), new Row(departure.directory(), departure.name(), departure.isDirectory(), false));
      draft.traces.remove(departure.entry());
      if (defect != Defect.RETURN_BEFORE_THE_END) {
        draft.departures.remove(departure.entry());
      }
      draft.reflect(departure.from(), departure.departed(), departure.reflected(), defect);
    }
    return draft.answered(
        departure.id(), new Answer(done, position + 1, Optional.empty(), Map.copyOf(draft.reflected)));
  }

  /** Step 3. */
  GroupState conclude(Departure departure, Answer arrived, Defect defect) {
    Departure own = departures.get(departure.entry());
    if (own == null || (!own.equals(departure) && defect != Defect.ANY_MARK_CONCLUDED)) {
      return this;
    }
    Draft draft = new Draft();
    draft.departures.remove(departure.entry());
    if (arrived.done()) {
      draft.rows.remove(departure.entry());
      draft.traces.put(departure.entry(), departure.to());
      if (defect != Defect.NOTHING_REFLECTED) {
        draft.reflect(departure.to(), arrived.position(), arrived.reflected(), defect);
      }
    } else {
      draft.rows.computeIfPresent(departure.entry(), (entry, row) -> row.marked(false));
    }
    return draft.commit();
  }

  /** The next state while it is made. */
  private final class Draft {
    private final Map<Integer, Row> rows = new HashMap<>(GroupState.this.rows);
    private final Map<Integer, Departure> departures = new HashMap<>(GroupState.this.departures);
    private final Map<String, Answer> answers = new HashMap<>(GroupState.this.answers);
    private final Map<Integer, Integer> traces = new HashMap<>(GroupState.this.traces);
    private final Map<Integer, Integer> reflected = new HashMap<>(GroupState.this.reflected);

    Draft put(int entry, Row row) {
      rows.put(entry, row);
      return this;
    }

    void reflect(int of, int at, Map<Integer, Integer> others, Defect defect) {
      reflected.merge(of, at, Math::max);
      if (defect != Defect.ONLY_THE_OTHER_GROUP_REFLECTED) {
        others.forEach((group, position) -> reflected.merge(group, position, Math::max));
        reflected.remove(group);
      }
    }

    Next answered(String request, Answer answer) {
      answers.put(request, answer);
      return new Next(commit(), answer);
    }

    GroupState commit() {
      return new GroupState(group, position + 1, rows, departures, answers, traces, reflected);
    }
  }

  /** The identities above an entry, up to the top of this group. */
  List<Integer> above(int entry) {
    List<Integer> way = new ArrayList<>();
    for (Row row = rows.get(entry); row != null && row.directory() != TOP; row = rows.get(row.directory())) {
      if (way.contains(row.directory())) {
        throw new IllegalStateException("a circle of directories: " + way);
      }
      way.add(row.directory());
    }
    return way;
  }
}
