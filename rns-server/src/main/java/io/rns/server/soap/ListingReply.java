package io.rns.server.soap;

import io.rns.api.Answer;
import io.rns.api.Cursor;
import io.rns.api.Outcome;
import io.rns.api.Page;
import io.rns.server.http.SharedLookup;
import io.rns.server.memory.RequestMemory;
import io.rns.wire.IteratorReference;
import io.rns.wire.ReplyForm;
import io.rns.wire.ReplyHeaders;
import io.rns.wire.SoapVersion;
import io.rns.wire.rns.ListingForm;
import io.rns.xml.XmlBuffer;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One page of a listing, or all pages one after the other, of which one is in memory at a time. */
final class ListingReply extends Reply {
  /** What a page of large entries has, about. */
  private static final long PAGE_BYTES = 1_572_864;

  private final ListingForm listing;
  private final @Nullable Function<Cursor, Answer<Outcome<Page>>> more;
  private final @Nullable IteratorReference iterator;
  private final ReplyForm form;
  private final @Nullable WrittenPages pages;
  private Page page;
  private int next;
  private byte @Nullable [] written;
  private int sent;
  private boolean started;

  /**
   * Writes {@code first} and, if there is a way to get more, the pages behind it.
   *
   * @param iterator the iterator that has those pages in place of this answer
   * @param pages where the bytes of the first page are kept; null if its list is not given again
   */
  ListingReply(
      ListingForm listing,
      Page first,
      @Nullable Function<Cursor, Answer<Outcome<Page>>> more,
      @Nullable IteratorReference iterator,
      ReplyForm form,
      @Nullable WrittenPages pages,
      ReplyHeaders headers) {
    super(headers);
    this.listing = listing;
    this.page = first;
    this.more = more;
    this.iterator = iterator;
    this.form = form;
    this.pages = pages;
  }

  @Override
  String action() {
    return listing.action();
  }

  /** Only of one page: others are read later. */
  @Override
  Optional<String> shared(SharedLookup lookup) {
    boolean whole = iterator == null && (more == null || page.next().isEmpty());
    return whole && !isRelated()
        ? headers().position().flatMap(position -> lookup.header(page, position))
        : Optional.empty();
  }

  @Override
  boolean writeNext(XmlBuffer out, SoapVersion version) {
    if (!started) {
      started = true;
      listing.startListing(out, page.directory(), form);
      written = pages == null ? null : pages.of(page.entries(), listing, form);
    }
    while (true) {
      byte[] whole = written;
      if (whole != null) {
        int piece = Math.clamp((long) PIECE_BYTES - out.length(), 0, whole.length - sent);
        out.raw(whole, sent, piece);
        sent += piece;
        if (sent < whole.length) {
          return true;
        }
        written = null;
        next = page.entries().size();
      }
      while (next < page.entries().size()) {
        listing.writeEntry(out, page.entries().get(next), form);
        next++;
        if (out.length() >= PIECE_BYTES) {
          return true;
        }
      }
      if (more == null || page.next().isEmpty()) {
        listing.endListing(out, form, iterator);
        return false;
      }
      Cursor rest = page.next().get();
      // One page in memory: the next one is read when the client has taken this one.
      page = new Page(page.directory(), List.of(), Optional.empty());
      RequestMemory.current().dropRead();
      RequestMemory.current().reserve(PAGE_BYTES);
      page = more.apply(rest).value().orThrow();
      next = 0;
    }
  }
}
