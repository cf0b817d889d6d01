package io.rns.loadtest;

import io.rns.api.EntryId;
import io.rns.api.NameService;
import io.rns.api.RnsPath;
import io.rns.loadtest.measure.Measurement;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The entries of the benchmark of size.
 *
 * @param bigDirectory a directory with very many junctions
 * @param large a tree of as many
 * @param small a tree of few
 * @param known another tree of few, for queries of paths that were asked before
 * @param entriesPerSecond how fast each of them was made; empty if a former run did it
 */
record SizeData(
    EntryId bigDirectory, Tree large, Tree small, Tree known, Map<String, Double> entriesPerSecond) {
  private static final long FEW = 10_000;
  private static final String BIG = "big";
  private static final String LARGE = "large";
  private static final String SMALL = "small";
  private static final String KNOWN = "known";

  static SizeData make(LoadDirectory directory, long entries, int clients, Consumer<String> progress)
      throws InterruptedException {
    Map<String, Double> speeds = new LinkedHashMap<>();
    EntryId big = directory.directory(BIG);
    progress.accept("adding " + entries + " entries to one directory");
    speeds.put(BIG, perSecond(directory.fill(big, entries, clients), entries));
    for (Tree tree : trees(directory, entries)) {
      String name = tree.top().name().toString();
      progress.accept("making a tree of " + tree.leaves() + " entries");
      directory.directory(name);
      speeds.put(name, perSecond(directory.fill(tree, clients), tree.leaves()));
    }
    return of(directory, entries, big, speeds);
  }

  private static double perSecond(Measurement filled, long entries) {
    return entries * 1e9 / filled.measured().toNanos();
  }

  /** What a former run has kept; it says how many entries it made. */
  static SizeData reopen(LoadDirectory directory) {
    long entries = directory.count(directory.path(BIG));
    return of(directory, entries, directory.id(BIG), Map.of());
  }

  /** Opens or makes the directory that the settings name. */
  static LoadDirectory directory(NameService client, SizeSettings settings) {
    LoadDirectory directory =
        settings.reuse().isPresent()
            ? LoadDirectory.reopen(client, settings.reuse().get())
            : LoadDirectory.create(client);
    if (settings.keep()) {
      directory.keep();
    }
    return directory;
  }

  private static Tree[] trees(LoadDirectory directory, long entries) {
    long few = Math.min(FEW, entries);
    return new Tree[]{
        new Tree(directory.path(LARGE), entries),
        new Tree(directory.path(SMALL), few),
        new Tree(directory.path(KNOWN), few)
    };
  }

  private static SizeData of(LoadDirectory directory, long entries, EntryId big, Map<String, Double> speeds) {
    Tree[] trees = trees(directory, entries);
    return new SizeData(big, trees[0], trees[1], trees[2], speeds);
  }

  /** How many entries the big directory and the large tree have each. */
  long entries() {
    return large.leaves();
  }

  /** Where everything is. */
  RnsPath top() {
    return large.top().parent();
  }
}
