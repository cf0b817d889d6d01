package io.rns.server.soap;

import io.rns.api.Answer;
import io.rns.api.Cursor;
import io.rns.api.Outcome;
import io.rns.api.Page;
import io.rns.wire.IteratorReference;
import io.rns.wire.ListingForm;
import io.rns.wire.ReplyForm;
import io.rns.wire.ReplyHeaders;
import io.rns.wire.SoapVersion;
import io.rns.xml.XmlBuffer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One page of a listing, or all pages one after the other, of which one is in memory at a time. */
final class ListingReply extends Reply {
  private final ListingForm listing;
  private final @Nullable Function<Cursor, Answer<Outcome<Page>>> more;
  private final @Nullable IteratorReference rest;
  private final ReplyForm form;
  private Page page;
  private int next;
  private boolean started;

  /**
   * Writes {@code first} and, if there is a way to get more, the pages behind it.
   *
   * @param rest the iterator that has those pages in place of this answer
   */
  ListingReply(
      ListingForm listing,
      Page first,
      @Nullable Function<Cursor, Answer<Outcome<Page>>> more,
      @Nullable IteratorReference rest,
      ReplyForm form,
      ReplyHeaders headers) {
    super(headers);
    this.listing = listing;
    this.page = first;
    this.more = more;
    this.rest = rest;
    this.form = form;
  }

  @Override
  String action() {
    return listing.action();
  }

  @Override
  boolean writeNext(XmlBuffer out, SoapVersion version) {
    if (!started) {
      started = true;
      listing.startListing(out, page.directory(), form);
    }
    while (true) {
      while (next < page.entries().size()) {
        listing.writeEntry(out, page.entries().get(next), form);
        next++;
        if (out.length() >= PIECE_BYTES) {
          return true;
        }
      }
      if (more == null || page.next().isEmpty()) {
        listing.endListing(out, form, rest);
        return false;
      }
      page = more.apply(page.next().get()).value().orThrow();
      next = 0;
    }
  }
}
