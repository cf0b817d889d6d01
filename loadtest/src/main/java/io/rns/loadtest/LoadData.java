package io.rns.loadtest;

import io.rns.api.Cursor;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.RnsPath;
import io.rns.loadtest.work.Keys;
import io.rns.loadtest.work.Places;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * What the requests of a load are about: paths to look up, a directory to list, a directory to add to. Thread-safe.
 */
final class LoadData implements Places {
  private static final int LISTED_ENTRIES = 10_000;
  private static final String LISTED = "listed";
  private static final String ADDED_TO = "added";

  private final LoadDirectory directory;
  private final int perDirectory;
  private final Keys.Choice choice;
  private final List<String> paths;
  private final EntryId listed;
  private final EntryId addedTo;
  private final AtomicLong nextNumber = new AtomicLong();
  private final LongAdder added = new LongAdder();

  private LoadData(LoadDirectory directory, Work work, Tree tree, EntryId listed, EntryId addedTo) {
    this.directory = directory;
    paths = paths(tree);
    perDirectory = tree.fanOut();
    choice = work.keys().among(paths.size(), perDirectory);
    this.listed = listed;
    this.addedTo = addedTo;
  }

  /**
   * Makes the entries that all operations need.
   *
   * @param listedEntries how many the directory to list has at least
   */
  static LoadData make(LoadDirectory directory, Work work, int listedEntries, int clients) throws InterruptedException {
    Tree tree = tree(directory, work);
    directory.references(work.references());
    directory.fill(tree, clients);
    EntryId listed = directory.directory(LISTED);
    directory.fill(listed, Math.max(LISTED_ENTRIES, listedEntries), clients);
    return new LoadData(directory, work, tree, listed, directory.directory(ADDED_TO));
  }

  /** Makes what is looked up and where it is added, but nothing to list. */
  static LoadData withoutListing(LoadDirectory directory, Work work, int clients) throws InterruptedException {
    Tree tree = tree(directory, work);
    directory.references(work.references());
    directory.fill(tree, clients);
    return new LoadData(directory, work, tree, directory.directory(LISTED), directory.directory(ADDED_TO));
  }

  /** Entries that nobody has made, for requests that go nowhere. */
  static LoadData imagined(LoadDirectory unmade, Work work) {
    return new LoadData(unmade, work, tree(unmade, work), EntryId.ROOT, EntryId.ROOT);
  }

  /** Its paths begin with the name of the load's directory and end with that of the junction. */
  private static Tree tree(LoadDirectory directory, Work work) {
    return new Tree(directory.path(), work.paths(), work.depth() - 2, work.fanOut());
  }

  private static List<String> paths(Tree tree) {
    List<String> paths = new ArrayList<>();
    for (long number = 0; number < tree.leaves(); number++) {
      paths.add(tree.leaf(number).toString());
    }
    return List.copyOf(paths);
  }

  @Override
  public int junctions() {
    return paths.size();
  }

  @Override
  public int perDirectory() {
    return perDirectory;
  }

  @Override
  public String junction(int number) {
    return paths.get(number);
  }

  /** All paths, each of a junction. */
  List<String> paths() {
    return paths;
  }

  /** The number of a path, drawn as the settings say. */
  int someNumber(SplittableRandom random) {
    return choice.draw(random);
  }

  /** Paths drawn as the settings say. */
  List<String> somePaths(SplittableRandom random, int count) {
    List<String> drawn = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      drawn.add(paths.get(someNumber(random)));
    }
    return drawn;
  }

  /** The directory to list. */
  EntryId listed() {
    return listed;
  }

  /** The path of the directory to list. */
  RnsPath listedPath() {
    return directory.path(LISTED);
  }

  /** Names drawn at random of those in the directory to list. */
  List<String> someListed(SplittableRandom random, int count) {
    List<String> drawn = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      drawn.add(Tree.leafName(random.nextInt(LISTED_ENTRIES)).toString());
    }
    return drawn;
  }

  /** The entries of a page. */
  int pageSize() {
    return LoadOperation.LIST.items();
  }

  /** Where the pages of the directory to list begin. */
  List<Optional<Cursor>> pages() {
    List<Optional<Cursor>> pages = new ArrayList<>();
    for (int number = 0; number < LISTED_ENTRIES; number += pageSize()) {
      pages.add(pageAt(listed, number));
    }
    return pages;
  }

  /** The cursor of the page that begins with an entry of a directory whose junctions are named by their numbers. */
  static Optional<Cursor> pageAt(EntryId directory, long number) {
    return number == 0 ? Optional.empty() : Optional.of(new Cursor(directory, Tree.leafName(number - 1)));
  }

  /** The directory to add to. */
  EntryId addedTo() {
    return addedTo;
  }

  /** Numbers for names that nobody else is given; the first of them. */
  long takeNumbers(int count) {
    return nextNumber.getAndAdd(count);
  }

  /** A name that nobody else is given. */
  EntryName takeName() {
    return Tree.leafName(takeNumbers(1));
  }

  /** Counts the entries whose addition was acknowledged. */
  LongAdder added() {
    return added;
  }

  /** How many entries the directory to add to has, as the service says. */
  long countAdded() {
    return directory.count(directory.path().child(EntryName.of(ADDED_TO)));
  }

  /** Where everything is. */
  RnsPath top() {
    return directory.path();
  }
}
