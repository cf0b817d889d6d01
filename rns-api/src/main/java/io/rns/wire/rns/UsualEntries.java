package io.rns.wire.rns;

import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.Metadata;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.wire.Markup;
import io.rns.wire.Namespaces;
import io.rns.wire.Timestamps;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a listing as far as they have exactly the markup that our servers write for usual entries, read
 * without an XML parser, which takes most of the time of a listing. Reading ends at the first entry with anything else:
 * escaped characters, references with more than an address, metadata of other elements. It and those after it stay in
 * the message. Belongs to one thread.
 */
public final class UsualEntries {
  /** What is read of a message at most; a page has about half as much. */
  private static final int MOST_BYTES = 2 << 20;

  private static final byte[] BODY = utf8("<_s:Body>");
  private static final byte[] LISTING_11 = utf8("<_n:LookupResponse" + Markup.DECLARATIONS_11 + ">");
  private static final byte[] LISTING = utf8("<_r:listResponse" + Markup.DECLARATIONS + ">");
  private static final byte[] DIRECTORY = utf8("<_x:directory kind=\"directory\" id=\"");
  private static final byte[] RESPONSE = utf8("<_n:entry-response entry-name=\"");
  private static final byte[] RESPONSE_END = utf8("</_n:entry-response>");
  private static final byte[] ENTRY_OF_JUNCTION = utf8("<_x:entry kind=\"junction\" id=\"");
  private static final byte[] ENTRY_OF_DIRECTORY = utf8("<_x:entry kind=\"directory\" id=\"");
  private static final byte[] ENTRY_END = utf8("</_x:entry>");
  private static final byte[] PARENT = utf8("\" parent=\"");
  private static final byte[] NAME = utf8("\" name=\"");
  private static final byte[] VERSION = utf8("\" version=\"");
  private static final byte[] CREATED = utf8("\" created=\"");
  private static final byte[] MODIFIED = utf8("\" modified=\"");
  private static final byte[] TAG_END = utf8("\">");
  private static final byte[] EMPTY_TAG_END = utf8("\"/>");
  private static final byte[] METADATA = utf8("<_x:metadata>");
  private static final byte[] METADATA_END = utf8("</_x:metadata>");
  private static final byte[] VALUE = utf8("<rnskv key=\"");
  private static final byte[] VALUE_END = utf8("</rnskv>");
  private static final byte[] REFERENCE = utf8("<_x:reference><wsa:Address xmlns:wsa=\"" + Namespaces.WSA + "\">");
  private static final byte[] REFERENCE_END = utf8("</wsa:Address></_x:reference>");

  /** The prefixes in scope: a fragment with one of them would take its declaration along. */
  private static final String PREFIXES = "srnxa";

  private static final int ID_DIGITS = 16;

  /** Numbers with more may be too large. */
  private static final int MOST_DIGITS = 18;

  private final byte[] bytes;
  private final InputStream behind;
  private final List<Entry> entries = new ArrayList<>();
  private int cut;
  private int at;

  /** Where the last text began and ended. */
  private int from;
  private int to;

  /** The name around the entry; the same as its own where the message is right. */
  private int nameFrom;

  private int nameTo;
  private int timeFrom;
  private int timeTo;
  private Instant time = Instant.EPOCH;

  private UsualEntries(byte[] bytes, InputStream behind) {
    this.bytes = bytes;
    this.behind = behind;
  }

  /**
   * Takes entries from the beginning of a listing.
   *
   * @param message an answer, perhaps another one than a listing
   * @throws RnsException {@link RnsError#MALFORMED_MESSAGE} if it cannot be read
   */
  public static UsualEntries takenFrom(InputStream message) {
    try {
      UsualEntries taken = new UsualEntries(message.readNBytes(MOST_BYTES), message);
      taken.take();
      return taken;
    } catch (IOException e) {
      throw new RnsException(RnsError.MALFORMED_MESSAGE, "the message cannot be read: " + e.getMessage(), e);
    }
  }

  private static byte[] utf8(String markup) {
    return markup.getBytes(StandardCharsets.UTF_8);
  }

  /** The entries that were taken, in order. */
  public List<Entry> entries() {
    return entries;
  }

  /** The message without them. */
  public InputStream rest() {
    InputStream before = new ByteArrayInputStream(bytes, 0, cut);
    InputStream after = new ByteArrayInputStream(bytes, at, bytes.length - at);
    InputStream read = new SequenceInputStream(before, after);
    return bytes.length < MOST_BYTES ? read : new SequenceInputStream(read, behind);
  }

  private void take() {
    boolean found = find(BODY);
    boolean wrapped = found && skip(LISTING_11);
    if ((wrapped || (found && skip(LISTING))) && skip(DIRECTORY) && skipEmptyTag()) {
      cut = at;
      for (Entry next = next(wrapped); next != null; next = next(wrapped)) {
        entries.add(next);
      }
    } else {
      at = 0;
    }
  }

  private boolean find(byte[] markup) {
    for (int last = bytes.length - markup.length; at <= last; at++) {
      if (bytes[at] == '<' && skip(markup)) {
        return true;
      }
    }
    return false;
  }

  private boolean skip(byte[] markup) {
    int end = at + markup.length;
    if (end > bytes.length) {
      return false;
    }
    for (int i = 0; i < markup.length; i++) {
      if (bytes[at + i] != markup[i]) {
        return false;
      }
    }
    at = end;
    return true;
  }

  /** Passes over the rest of a tag; false if its element is not empty. */
  private boolean skipEmptyTag() {
    while (at < bytes.length && bytes[at] != '<' && bytes[at] != '>') {
      at++;
    }
    return at < bytes.length && bytes[at] == '>' && bytes[at++ - 1] == '/';
  }

  /** The next entry; null, and nothing is passed over, if it has to stay. */
  private @Nullable Entry next(boolean wrapped) {
    int start = at;
    Entry entry = null;
    try {
      boolean begins = !wrapped || (skip(RESPONSE) && skipText());
      nameFrom = from;
      nameTo = to;
      entry = begins && (!wrapped || skip(TAG_END)) ? entry(wrapped) : null;
      if (wrapped && entry != null && !skip(RESPONSE_END)) {
        entry = null;
      }
    } catch (RnsException | DateTimeException e) {
      // The parser's reader reports it.
      entry = null;
    }
    if (entry == null) {
      at = start;
    }
    return entry;
  }

  private @Nullable Entry entry(boolean wrapped) {
    boolean junction = skip(ENTRY_OF_JUNCTION);
    if (!junction && !skip(ENTRY_OF_DIRECTORY)) {
      return null;
    }
    EntryId id = id();
    EntryId parent = id != null && skip(PARENT) ? id() : null;
    if (id == null || parent == null || !skip(NAME) || !skipText()) {
      return null;
    }
    String name = !wrapped || Arrays.equals(bytes, from, to, bytes, nameFrom, nameTo) ? text() : null;
    long version = name != null && skip(VERSION) ? number() : -1;
    if (name == null || version < 0 || !skip(CREATED) || !skipText()) {
      return null;
    }
    Instant created = time();
    if (!skip(MODIFIED) || !skipText()) {
      return null;
    }
    Instant modified = time();
    Entry.Binding binding = new Entry.Binding(parent, EntryName.of(name));
    if (!junction && skip(EMPTY_TAG_END)) {
      return new Entry.VirtualDirectory(binding, id, version, created, modified, Metadata.NONE, -1);
    }
    Metadata metadata = skip(TAG_END) ? metadata() : null;
    List<EndpointReference> references = metadata != null && junction ? references() : List.of();
    if (metadata == null || references == null || !skip(ENTRY_END)) {
      return null;
    }
    return junction
        ? new Entry.Junction(binding, id, version, created, modified, metadata, references)
        : new Entry.VirtualDirectory(binding, id, version, created, modified, metadata, -1);
  }

  private @Nullable EntryId id() {
    if (at + ID_DIGITS > bytes.length) {
      return null;
    }
    long value = 0;
    for (int i = 0; i < ID_DIGITS; i++) {
      byte digit = bytes[at + i];
      int number = digit <= '9' ? digit - '0' : (digit | 0x20) - 'a' + 10;
      boolean isDigit = (digit >= '0' && digit <= '9') || (number >= 10 && number <= 15);
      if (!isDigit) {
        return null;
      }
      value = value << 4 | number;
    }
    at += ID_DIGITS;
    return new EntryId(value);
  }

  private long number() {
    long number = 0;
    int start = at;
    while (at < bytes.length && bytes[at] >= '0' && bytes[at] <= '9' && at - start < MOST_DIGITS) {
      number = 10 * number + bytes[at++] - '0';
    }
    return at == start ? -1 : number;
  }

  /** The time whose text was passed over; most entries were never changed, and many were made together. */
  private Instant time() {
    if (!Arrays.equals(bytes, from, to, bytes, timeFrom, timeTo)) {
      time = Timestamps.parse(ascii(from, to));
      timeFrom = from;
      timeTo = to;
    }
    return time;
  }

  /** Passes over characters that mean themselves. */
  private boolean skipText() {
    from = at;
    while (at < bytes.length && isText(bytes[at])) {
      at++;
    }
    to = at;
    return to > from;
  }

  private static boolean isText(byte character) {
    return character < 0
        || (character >= ' ' && character != '"' && character != '&' && character != '<' && character != '>'
            && character != 0x7f);
  }

  /** The text that was passed over; null if it may not be UTF-8. */
  private @Nullable String text() {
    for (int i = from; i < to; i++) {
      if (bytes[i] < 0) {
        String text = new String(bytes, from, to - from, StandardCharsets.UTF_8);
        return text.indexOf('\ufffd') < 0 ? text : null;
      }
    }
    return ascii(from, to);
  }

  private String ascii(int first, int end) {
    return new String(bytes, first, end - first, StandardCharsets.ISO_8859_1);
  }

  /** Whether the text that was passed over is ASCII and has no prefix in scope. */
  private boolean isAlone() {
    for (int i = from; i < to; i++) {
      boolean prefixed =
          bytes[i] == ':' && i > 1 && PREFIXES.indexOf(bytes[i - 1]) >= 0 && bytes[i - 2] == '_';
      if (bytes[i] < 0 || prefixed) {
        return false;
      }
    }
    return true;
  }

  /** The metadata at this place, which may be none; null if they are not keys and values alone. */
  private @Nullable Metadata metadata() {
    if (!skip(METADATA)) {
      return Metadata.NONE;
    }
    int start = at;
    while (skip(VALUE)) {
      boolean key = skipText() && isAlone();
      boolean value = key && (skip(EMPTY_TAG_END) || (skip(TAG_END) && skipText() && isAlone() && skip(VALUE_END)));
      if (!value) {
        return null;
      }
    }
    int end = at;
    boolean fits = end > start && end - start <= Limits.METADATA_BYTES;
    return fits && skip(METADATA_END) ? Metadata.stored(ascii(start, end)) : null;
  }

  /** At least one reference that is an address; null if there is none. */
  private @Nullable List<EndpointReference> references() {
    List<EndpointReference> references = new ArrayList<>(1);
    while (skip(REFERENCE)) {
      if (!skipText() || !isAlone() || !skip(REFERENCE_END)) {
        return null;
      }
      references.add(EndpointReference.ofAddress(ascii(from, to)));
    }
    return references.isEmpty() ? null : references;
  }
}
