package io.rns.client.message;

import io.rns.wire.Markup;
import io.rns.wire.Namespaces;
import io.rns.wire.rns.EntryResponse;
import io.rns.xml.XmlPull;
import java.util.ArrayList;
import java.util.List;

/**
 * What an iterator of a listing answers.
 *
 * @param size how many elements it says it has; what it covers is a matter of the server
 * @param entries the entries from the offset that was asked for
 */
public record IteratedEntries(long size, List<EntryResponse> entries) {
  /** Copies the entries. */
  public IteratedEntries {
    entries = List.copyOf(entries);
  }

  /** Reads the response at {@code pull} and moves to its end. */
  static IteratedEntries read(XmlPull pull) {
    long size = 0;
    List<EntryResponse> entries = new ArrayList<>();
    while (pull.nextChild()) {
      if (pull.is(Namespaces.ITERATOR, "iterator-size")) {
        size = Markup.number("iterator-size", pull.text());
      } else if (pull.is(Namespaces.ITERATOR, "iterable-element")) {
        while (pull.nextChild()) {
          if (pull.is(Namespaces.RNS_11, "RNSEntryResponseType") || pull.is(Namespaces.RNS_11, "entry-response")) {
            entries.add(EntryResponse.read(pull));
          } else {
            pull.skip();
          }
        }
      } else {
        pull.skip();
      }
    }
    return new IteratedEntries(size, entries);
  }
}
