package io.rns.client.plain;

import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.Entry.Junction;
import io.rns.api.EntryName;
import io.rns.api.Outcome;
import io.rns.api.Outcome.Refused;
import io.rns.api.Target;
import io.rns.client.call.Deadline;
import io.rns.client.message.FirstBlock;
import io.rns.client.message.IteratedEntries;
import io.rns.client.message.ReferenceParts;
import io.rns.client.message.StandardCall;
import io.rns.client.message.StandardCall.Result;
import io.rns.client.plain.PlainTree.Reached;
import io.rns.client.plain.PlainTree.Where;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.wire.rns.EntryResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * All entries of one directory in byte order of their names, whatever order the server has: a lookup without names, and
 * where that returns only the first of them an iterator (WS-Iterator).
 *
 * <p>Iterators of some servers are of the whole directory, those of others of what the first answer left out. The first
 * request shows which: its offset is 0, and an answer that begins with a name already known is of the whole.
 */
final class PlainListing {
  /** Entries of one directory. */
  static final int MOST_ENTRIES = 100_000;

  /** Characters of their references and metadata, which are all in memory at once. */
  static final long MOST_CHARACTERS = 64L * 1_024 * 1_024;

  private final PlainTree tree;
  private final ReferenceCalls calls;
  private final Where where;
  private final Deadline deadline;
  private final NavigableMap<EntryName, Entry> entries = new TreeMap<>();
  private long characters;

  private PlainListing(PlainTree tree, ReferenceCalls calls, Where where, Deadline deadline) {
    this.tree = tree;
    this.calls = calls;
    this.where = where;
    this.deadline = deadline;
  }

  /**
   * Lists a directory.
   *
   * @return its place and its entries, or why it cannot be listed
   * @throws RnsException {@link RnsError#LIMIT_EXCEEDED} if there are too many, or what {@link PlainTree#ask} throws
   */
  static Outcome<Reached<List<Entry>>> of(PlainTree tree, ReferenceCalls calls, Where where, Deadline deadline) {
    return new PlainListing(tree, calls, where, deadline).read();
  }

  private Outcome<Reached<List<Entry>>> read() {
    Outcome<Reached<FirstBlock>> first = tree.ask(where, StandardCall.lookupAll(), deadline);
    if (first instanceof Refused<Reached<FirstBlock>> refused) {
      return Outcome.refused(refused.refusal());
    }
    DirectoryPlace place = first.orThrow().place();
    FirstBlock block = first.orThrow().value();
    int inFirst = add(place, block.entries());
    if (block.iterator().isPresent()) {
      EndpointReference iterator = block.iterator().get();
      try {
        iterate(place, iterator, inFirst);
      } finally {
        end(place, iterator);
      }
    }
    return Outcome.done(new Reached<>(place, new ArrayList<>(entries.values())));
  }

  private void iterate(DirectoryPlace place, EndpointReference iterator, int inFirst) {
    int block = Math.max(1, Math.min(inFirst == 0 ? Limits.DEFAULT_PAGE_ENTRIES : inFirst, Limits.PAGE_ENTRIES));
    long offset = 0;
    while (true) {
      IteratedEntries answer = ask(iterator, offset, block);
      int told = answer.entries().size();
      boolean isWhole = offset == 0 && told > 0 && isKnown(answer.entries().get(0));
      int added = add(place, answer.entries());
      offset += told;
      if (told == 0 || (told < block && offset >= answer.size())) {
        return;
      }
      if (isWhole) {
        offset = Math.max(offset, inFirst);
      } else if (added == 0) {
        throw new RnsException(
            RnsError.UNAVAILABLE,
            "the iterator of " + where.target() + " returns the same entries again from offset " + (offset - told));
      }
    }
  }

  private IteratedEntries ask(EndpointReference iterator, long offset, int block) {
    Result<IteratedEntries> result = calls.ask(iterator, StandardCall.iterate(offset, block), deadline);
    if (result instanceof Result.Failed<IteratedEntries> failed) {
      throw new RnsException(
          RnsError.UNAVAILABLE,
          "the iterator of " + where.target() + " ended at offset " + offset + ": " + failed.fault().message());
    }
    return ((Result.Done<IteratedEntries>) result).value();
  }

  private boolean isKnown(EntryResponse response) {
    return entries.containsKey(EntryName.of(response.name()));
  }

  /** Adds what is new, and says how many that were. */
  private int add(DirectoryPlace place, List<EntryResponse> responses) {
    int before = entries.size();
    for (EntryResponse response : responses) {
      EntryName name = EntryName.of(response.name());
      Target target = where.target();
      Entry entry = tree.entry(place, name, response, target, where.depth() + 1).orThrow();
      if (entries.put(name, entry) == null) {
        characters += size(entry);
      }
      Limits.check(() -> "the directory " + target, entries.size(), MOST_ENTRIES, "entries");
      Limits.check(() -> "the listing of " + target, characters, MOST_CHARACTERS, "characters");
    }
    return entries.size() - before;
  }

  private static long size(Entry entry) {
    long size = entry.metadata().xml().length();
    if (entry instanceof Junction junction) {
      for (EndpointReference reference : junction.references()) {
        size += reference.content().length();
      }
    }
    return size;
  }

  /** Ends an iterator, unless it is the directory itself, as servers without a state of iterators may have it. */
  private void end(DirectoryPlace place, EndpointReference iterator) {
    ReferenceParts own = ReferenceParts.of(place.reference());
    boolean isDirectory =
        iterator.address().equals(place.reference().address())
            && ReferenceParts.of(iterator).parameters().equals(own.parameters());
    if (isDirectory) {
      return;
    }
    try {
      Result<Boolean> unused = calls.once(iterator, StandardCall.destroy(), deadline);
    } catch (RnsException e) {
      // It expires on its own; the listing is what counts.
      return;
    }
  }
}
