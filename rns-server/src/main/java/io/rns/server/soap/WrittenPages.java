package io.rns.server.soap;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.rns.api.Entry;
import io.rns.wire.ReplyForm;
import io.rns.wire.rns.ListingForm;
import io.rns.xml.XmlBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Entries of listings as bytes, of lists that were written before: the cache of entries gives the same list as long as
 * the directory has not changed. They go with the list, and within a bound of bytes. Safe for use by many threads.
 */
public final class WrittenPages {
  /** What is shorter is written as fast. */
  static final int LEAST_ENTRIES = 16;

  /** A page of more is not kept. */
  private static final int MOST_BYTES = 1 << 20;

  private static final int ENTRY_BYTES = 256;
  private final Cache<List<Entry>, Written> pages;

  /**
   * The entries of a list in a form.
   *
   * @param bytes null if they were asked for once, nothing if they are too many
   */
  @SuppressWarnings("ArrayRecordComponent") // compared nowhere
  private record Written(ListingForm listing, ReplyForm form, byte @Nullable [] bytes) {
    boolean isIn(ListingForm otherListing, ReplyForm otherForm) {
      return listing.equals(otherListing) && form.writesLike(otherForm);
    }

    int weight() {
      return ENTRY_BYTES + (bytes == null ? 0 : bytes.length);
    }
  }

  /** Pages of so many bytes together, about. */
  public WrittenPages(long maximumBytes) {
    pages =
        Caffeine.newBuilder()
            .weakKeys()
            .maximumWeight(maximumBytes)
            .weigher((List<Entry> entries, Written written) -> written.weight())
            .build();
  }

  /** The entries of a list as bytes; null if they have to be written one by one. */
  byte @Nullable [] of(List<Entry> entries, ListingForm listing, ReplyForm form) {
    if (entries.size() < LEAST_ENTRIES) {
      return null;
    }
    Written known = pages.getIfPresent(entries);
    if (known == null) {
      // Most lists are written once.
      pages.put(entries, new Written(listing, form, null));
      return null;
    }
    byte[] bytes = known.isIn(listing, form) ? known.bytes() : null;
    if (bytes == null) {
      bytes = write(entries, listing, form);
      pages.put(entries, new Written(listing, form, bytes));
    }
    return bytes.length == 0 ? null : bytes;
  }

  private static byte[] write(List<Entry> entries, ListingForm listing, ReplyForm form) {
    XmlBuffer out = new XmlBuffer(ENTRY_BYTES * entries.size());
    for (Entry entry : entries) {
      listing.writeEntry(out, entry, form);
      if (out.length() > MOST_BYTES) {
        return new byte[0];
      }
    }
    return out.toByteArray();
  }
}
