package io.rns.wire.rns;

import io.rns.api.Entry;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.wire.FaultTable;
import io.rns.wire.IteratorReference;
import io.rns.wire.ReplyForm;
import io.rns.xml.XmlBuffer;
import org.jspecify.annotations.Nullable;

/** The form of a listing, written entry by entry. */
public interface ListingForm {
  /** The WS-Addressing action of the response. */
  String action();

  /** The fault elements for errors. */
  FaultTable faults();

  /** Whether a response without paging contains the whole directory, however large; otherwise it contains one block. */
  boolean isWhole();

  /** Appends everything before the first entry. */
  void startListing(XmlBuffer out, VirtualDirectory directory, ReplyForm form);

  /** Appends one entry. */
  void writeEntry(XmlBuffer out, Entry entry, ReplyForm form);

  /**
   * Appends everything after the last entry.
   *
   * @param rest the iterator over the remaining entries; null if there are none or the form has no place for it
   */
  void endListing(XmlBuffer out, ReplyForm form, @Nullable IteratorReference rest);
}
