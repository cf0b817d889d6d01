package io.rns.loadtest.load;

import io.rns.api.Cursor;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.RnsPath;
import io.rns.loadtest.service.LoadDirectory;
import io.rns.loadtest.service.References;
import io.rns.loadtest.service.Tree;
import io.rns.loadtest.work.Keys;
import io.rns.loadtest.work.Places;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The entries of a load: paths to look up, a directory to list, a directory to add to. Thread-safe.
 *
 * @param added counts the entries whose addition was acknowledged
 */
public record LoadData(
    LoadDirectory directory, Places places, Keys.Choice choice, EntryId listed, EntryId addedTo, AtomicLong nextNumber,
    LongAdder added) {
  public static final int LISTED_ENTRIES = 10_000;
  private static final int FILLING_CLIENTS = 4;
  private static final String LISTED = "listed";
  private static final String ADDED_TO = "added";

  private static LoadData of(LoadDirectory directory, Work work, EntryId listed, EntryId addedTo) {
    Places places = tree(directory, work).places();
    Keys.Choice choice = work.keys().among(places.junctions(), places.perDirectory());
    return new LoadData(directory, places, choice, listed, addedTo, new AtomicLong(), new LongAdder());
  }

  /** Adds the entries that a load needs, {@code toList} of them to the directory to list. */
  public static LoadData make(LoadDirectory directory, Work work, int toList) throws InterruptedException {
    directory.references(new References(work.referenceBytes()));
    directory.fill(tree(directory, work), FILLING_CLIENTS);
    EntryId listed = directory.directory(LISTED);
    directory.fill(listed, toList, FILLING_CLIENTS);
    return of(directory, work, listed, directory.directory(ADDED_TO));
  }

  /** Adds what is looked up and the directory to add to, but nothing to list. */
  public static LoadData withoutListing(LoadDirectory directory, Work work) throws InterruptedException {
    return make(directory, work, 0);
  }

  /** Entries that do not exist, for requests that are not sent to a service. */
  static LoadData imagined(LoadDirectory directory, Work work) {
    return of(directory, work, EntryId.ROOT, EntryId.ROOT);
  }

  /** Its paths begin with the name of the load's directory and end with that of the junction. */
  private static Tree tree(LoadDirectory directory, Work work) {
    return new Tree(directory.path(), work.paths(), work.depth() - 2, work.fanOut());
  }

  /** Draws the number of a junction as {@link Work#keys} says. */
  int someNumber(SplittableRandom random) {
    return choice.draw(random);
  }

  List<String> somePaths(SplittableRandom random, int count) {
    return Stream.generate(() -> places.junction(someNumber(random))).limit(count).toList();
  }

  RnsPath listedPath() {
    return directory.path(LISTED);
  }

  List<String> someListed(SplittableRandom random, int count) {
    return Stream.generate(() -> Tree.leafName(random.nextInt(LISTED_ENTRIES)).toString()).limit(count).toList();
  }

  /** Where the pages of the directory to list begin. */
  List<Optional<Cursor>> pages() {
    return LongStream.range(0, LISTED_ENTRIES / LoadOperation.LIST.items())
        .mapToObj(page -> pageAt(listed, page * LoadOperation.LIST.items())).toList();
  }

  /** The cursor of the page that begins with an entry of a directory whose junctions are named by their numbers. */
  static Optional<Cursor> pageAt(EntryId directory, long number) {
    return number == 0 ? Optional.empty() : Optional.of(new Cursor(directory, Tree.leafName(number - 1)));
  }

  /** Reserves numbers for new names; the first of them. */
  long takeNumbers(int count) {
    return nextNumber.getAndAdd(count);
  }

  EntryName takeName() {
    return Tree.leafName(takeNumbers(1));
  }

  long countAdded() {
    return directory.count(directory.path(ADDED_TO));
  }
}
