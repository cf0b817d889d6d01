package io.rns.loadtest.work;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Several copies of a trace beside each other: they read the same entries, but each changes entries of its own, so that
 * no copy fails because of another. Immutable after it is made.
 */
public final class TraceCopies {
  private final Trace trace;
  private final int copies;
  /** What the trace makes or changes. */
  private final Set<String> changed = new HashSet<>();
  /** What it makes before it does anything else to it. */
  private final Set<String> made = new HashSet<>();

  public TraceCopies(Trace trace, int copies) {
    this.trace = trace;
    this.copies = copies;
    List<Trace.Event> events = new ArrayList<>();
    trace.sessions().values().forEach(events::addAll);
    events.sort(Comparator.comparingLong(Trace.Event::nanos));
    for (Trace.Event event : events) {
      Call call = event.call();
      switch (call.kind()) {
        case ADD, MKDIR -> make(call.path());
        case UPDATE, REMOVE -> changed.add(call.path());
        case MOVE -> {
          changed.add(call.path());
          make(call.to());
        }
        case QUERY, LIST, WATCH -> {
        }
      }
    }
  }

  private void make(String path) {
    if (changed.add(path)) {
      made.add(path);
    }
  }

  /** A path of the trace as it is in a copy (from 0). */
  String path(String path, int copy) {
    if (copy == 0) {
      return path;
    }
    StringBuilder original = new StringBuilder();
    StringBuilder copied = new StringBuilder();
    for (String name : path.substring(1).split("/", -1)) {
      original.append('/').append(name);
      copied.append('/').append(name);
      if (changed.contains(original.toString())) {
        copied.append('-').append(copy);
      }
    }
    return copied.toString();
  }

  Call call(Call call, int copy) {
    return call.withPaths(path -> path(path, copy));
  }

  /** What one session of the trace asks for in a copy, at its times. */
  public CallSource calls(List<Trace.Event> session, int copy, String top) {
    return new CallSource() {
      private int taken;

      @Override
      public @Nullable Call next() {
        if (taken == session.size()) {
          return null;
        }
        return call(session.get(taken++).call(), copy).withPaths(path -> path.equals("/") ? top : top + path);
      }

      @Override
      public long dueNanos() {
        return session.get(taken - 1).nanos();
      }
    };
  }

  /** The directories that have to be there before any copy begins, parents first. */
  public List<String> directories() {
    SortedSet<String> found = new TreeSet<>();
    for (Call call : calls()) {
      boolean itself = call.kind() == Kind.LIST || call.kind() == Kind.WATCH;
      expect(itself ? call.path() : Call.directoryOf(call.path()), found);
      if (!call.to().isEmpty()) {
        expect(Call.directoryOf(call.to()), found);
      }
    }
    return inCopies(found);
  }

  /** Adds a directory, and those above it, unless the trace makes them. */
  private void expect(String directory, SortedSet<String> found) {
    for (String path = directory; !path.equals("/") && !isMade(path); path = Call.directoryOf(path)) {
      found.add(path);
    }
  }

  /** The junctions that have to be there before any copy begins. */
  public List<String> junctions() {
    Set<String> directories = new HashSet<>(directories());
    SortedSet<String> found = new TreeSet<>();
    for (Call call : calls()) {
      boolean about = call.kind() == Kind.QUERY || call.kind().needsOwn();
      if (about && !call.path().equals("/") && !isMade(call.path()) && !directories.contains(call.path())) {
        found.add(call.path());
      }
    }
    return inCopies(found);
  }

  private List<Call> calls() {
    return trace.sessions().values().stream().flatMap(List::stream).map(Trace.Event::call).toList();
  }

  private boolean isMade(String path) {
    for (String above = path; !above.equals("/"); above = Call.directoryOf(above)) {
      if (made.contains(above)) {
        return true;
      }
    }
    return false;
  }

  private List<String> inCopies(SortedSet<String> paths) {
    SortedSet<String> all = new TreeSet<>(paths);
    for (String path : paths) {
      for (int copy = 1; copy < copies; copy++) {
        all.add(path(path, copy));
      }
    }
    return List.copyOf(all);
  }
}
