package io.rns.wire.rns;

import io.rns.api.Entry;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.wire.FaultTable;
import io.rns.wire.IteratorReference;
import io.rns.wire.ReplyForm;
import io.rns.xml.XmlBuffer;
import org.jspecify.annotations.Nullable;

/** How the entries of a directory are answered, one after the other. */
public interface ListingForm {
  /** The WS-Addressing action of the answer. */
  String action();

  /** How errors are told. */
  FaultTable faults();

  /** Whether an answer to a request for no page holds the whole directory, however large; else it holds one block. */
  boolean isWhole();

  /** Appends what stands before the first entry. */
  void startListing(XmlBuffer out, VirtualDirectory directory, ReplyForm form);

  /** Appends one entry. */
  void writeEntry(XmlBuffer out, Entry entry, ReplyForm form);

  /**
   * Appends what stands behind the last entry.
   *
   * @param rest the iterator that has the entries behind it; null if there are none or the form has no place for it
   */
  void endListing(XmlBuffer out, ReplyForm form, @Nullable IteratorReference rest);
}
