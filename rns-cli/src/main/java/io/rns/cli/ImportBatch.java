package io.rns.cli;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.Entry;
import io.rns.api.Entry.Junction;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.Precondition;
import io.rns.api.QueryRequest;
import io.rns.api.Refusal;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Lines of one request to the server, and their result. One thread fills it, then another one sends it. */
final class ImportBatch {
  static final int LINES = 500;

  /** Well below the size limit of a request, whatever escaping adds. */
  static final int CHARS = 2_000_000;

  /** One line to import. */
  private record Item(long line, EntryLine entry) {}

  private final boolean replace;
  private final List<Item> items = new ArrayList<>(LINES);
  private final Set<String> directories = new HashSet<>();
  private final Set<String> junctions = new HashSet<>();
  private final Set<String> ancestors = new HashSet<>();
  private final ImportResult result = new ImportResult();
  private long chars;

  ImportBatch(boolean replace) {
    this.replace = replace;
  }

  /**
   * Takes a line, whose directories {@link #addAncestor} has got.
   *
   * @param path the text of the entry's path
   * @param length the length of the line in characters
   */
  void add(long line, EntryLine entry, String path, int length) {
    items.add(new Item(line, entry));
    chars += length;
    (entry.isDirectory() ? directories : junctions).add(path);
  }

  /**
   * Notes a directory above a line, before those above itself.
   *
   * @return false if it is known, with those above it
   */
  boolean addAncestor(String directory) {
    return ancestors.add(directory);
  }

  boolean isFull() {
    return items.size() >= LINES || chars >= CHARS;
  }

  boolean isEmpty() {
    return items.isEmpty();
  }

  /** The number of the last line. */
  long lastLine() {
    return items.get(items.size() - 1).line();
  }

  /** The length of the lines in characters. */
  long chars() {
    return chars;
  }

  /** Whether it has a line for that path, or a line below it, which a junction of that path would refuse. */
  boolean hasUse(String path, boolean directory) {
    return directories.contains(path) || junctions.contains(path) || (!directory && ancestors.contains(path));
  }

  /** Whether it has a line for a junction of that path, where a later line needs a directory. */
  boolean hasJunction(String path) {
    return junctions.contains(path);
  }

  /** Sends the batch, and compares entries that exist already. */
  ImportResult send(NameService service) {
    List<Item> sent = new ArrayList<>(items.size());
    List<Item> present = new ArrayList<>();
    for (Item item : items) {
      (item.entry().path().isRoot() ? present : sent).add(item);
    }
    if (!sent.isEmpty()) {
      AddRequest request = new AddRequest(sent.stream().map(this::newEntry).toList(), true, false);
      List<Outcome<Entry>> outcomes = service.add(CallContext.ANONYMOUS, request).value();
      for (int i = 0; i < sent.size(); i++) {
        settle(sent.get(i), outcomes.get(i), present);
      }
    }
    if (!present.isEmpty()) {
      compareAll(service, present);
    }
    return result;
  }

  private NewEntry newEntry(Item item) {
    EntryLine entry = item.entry();
    // A plain directory line requires the directory, and does not clear its metadata.
    boolean replaces = replace && !(entry.isDirectory() && entry.metadata().isEmpty());
    return new NewEntry(
        Target.of(entry.path()),
        entry.references(),
        entry.metadata(),
        replaces ? Precondition.NONE : Precondition.IF_ABSENT);
  }

  private void settle(Item item, Outcome<Entry> outcome, List<Item> present) {
    if (outcome instanceof Outcome.Done<Entry> done) {
      if (done.value().created().equals(done.value().modified())) {
        result.added++;
      } else {
        result.changed++;
      }
    } else if (outcome instanceof Outcome.Refused<Entry> refused) {
      if (refused.refusal() instanceof Refusal.EntryExists) {
        present.add(item);
      } else {
        result.refuse(item.line(), refused.refusal().message());
      }
    }
  }

  private void compareAll(NameService service, List<Item> present) {
    List<Target> targets = present.stream().map(item -> Target.of(item.entry().path())).toList();
    List<Outcome<Entry>> existing = service.query(CallContext.ANONYMOUS, new QueryRequest(targets, false)).value();
    for (int i = 0; i < present.size(); i++) {
      if (existing.get(i) instanceof Outcome.Refused<Entry> refused) {
        result.refuse(present.get(i).line(), refused.refusal().message());
      } else {
        compare(service, present.get(i), existing.get(i).orThrow());
      }
    }
  }

  private void compare(NameService service, Item item, Entry existing) {
    EntryLine wanted = item.entry();
    boolean sameMetadata = wanted.metadata().equals(existing.metadata());
    if (wanted.isDirectory() != existing instanceof VirtualDirectory) {
      result.refuse(item.line(),
          "exists as a " + (wanted.isDirectory() ? "junction: " : "directory: ") + wanted.path());
    } else if (existing instanceof Junction junction && !junction.references().equals(wanted.references())) {
      result.refuse(
          item.line(),
          "exists with other endpoint references: " + wanted.path() + " -> " + junction.references().get(0).address());
    } else if (sameMetadata || (wanted.isDirectory() && wanted.metadata().isEmpty())) {
      result.present++;
    } else if (wanted.isDirectory() && (existing.metadata().isEmpty() || replace)) {
      describe(service, item, existing);
    } else {
      result.refuse(item.line(), "exists with other metadata: " + wanted.path());
    }
  }

  /** Sets metadata of a directory without any, such as one that import created as a parent. */
  private void describe(NameService service, Item item, Entry existing) {
    EntryChange change =
        EntryChange.metadata(Target.of(item.entry().path()), item.entry().metadata())
            .with(Precondition.ifVersion(existing.version()));
    Outcome<Entry> outcome = service.update(CallContext.ANONYMOUS, UpdateRequest.of(change)).value().get(0);
    if (outcome instanceof Outcome.Refused<Entry> refused) {
      result.refuse(item.line(), refused.refusal().message());
    } else {
      result.changed++;
    }
  }
}
