package io.rns.loadtest;

import io.rns.api.EntryName;
import io.rns.api.RnsPath;
import io.rns.loadtest.work.Call;
import io.rns.loadtest.work.Kind;
import io.rns.loadtest.work.Places;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The tree that peers are asked for: junctions to look up and list, and beside them as many directories of the same
 * depth to add to, so that what is listed does not grow. Immutable.
 */
final class PeerTree {
  /** With the name of the load, of the branch and of the junction a path has four names. */
  private static final int LEVELS = 1;

  private final Branch read;
  private final Branch written;

  /**
   * A tree.
   *
   * @param top where it is
   */
  PeerTree(RnsPath top, int junctions, int fanOut) {
    read = Branch.of(new Tree(top.child(EntryName.of("read")), junctions, LEVELS, fanOut));
    written = Branch.of(new Tree(top.child(EntryName.of("written")), junctions, LEVELS, fanOut));
  }

  /**
   * One of both.
   *
   * @param paths of the junctions
   */
  private record Branch(List<String> paths, int perDirectory) implements Places {
    static Branch of(Tree tree) {
      List<String> paths = new ArrayList<>();
      for (long number = 0; number < tree.leaves(); number++) {
        paths.add(tree.leaf(number).toString());
      }
      return new Branch(List.copyOf(paths), tree.fanOut());
    }

    @Override
    public int junctions() {
      return paths.size();
    }

    @Override
    public String junction(int number) {
      return paths.get(number);
    }
  }

  /** Where to look up and list. */
  Places read() {
    return read;
  }

  /** Where to add. */
  Places written() {
    return written;
  }

  /**
   * What makes its directories, those above first.
   *
   * @param below a directory that is there
   */
  List<Call> directories(String below) {
    Set<String> all = new LinkedHashSet<>();
    for (Branch branch : List.of(read, written)) {
      branch.paths().forEach(path -> addMissing(all, path, below));
    }
    return all.stream().map(path -> Call.of(Kind.MKDIR, path)).toList();
  }

  private static void addMissing(Set<String> all, String path, String below) {
    Deque<String> missing = new ArrayDeque<>();
    for (String at = Call.directoryOf(path); !at.equals(below) && !all.contains(at); at = Call.directoryOf(at)) {
      missing.push(at);
    }
    all.addAll(missing);
  }

  /** What makes its junctions. */
  List<Call> junctions() {
    return read.paths().stream().map(path -> Call.of(Kind.ADD, path)).toList();
  }
}
