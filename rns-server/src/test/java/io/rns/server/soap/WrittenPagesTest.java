package io.rns.server.soap;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.Entry.Binding;
import io.rns.api.Entry.Junction;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.Metadata;
import io.rns.wire.ReplyForm;
import io.rns.wire.rns.EntryOperations;
import io.rns.wire.rns.ListingForm;
import io.rns.xml.XmlBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A list that was written before has the same bytes again, in the form that is asked for. */
class WrittenPagesTest {
  private static final ReplyForm EXTENDED = new ReplyForm(true, "http://here/rns");
  private static final ReplyForm HERE = new ReplyForm(false, "http://here/rns");
  private static final ReplyForm THERE = new ReplyForm(false, "http://there/rns");

  private final WrittenPages pages = new WrittenPages(1 << 20);

  private static List<Entry> entries(int count, int referenceChars) {
    List<Entry> entries = new ArrayList<>();
    Binding place = new Binding(EntryId.ROOT, EntryName.of("name"));
    for (int i = 0; i < count; i += 2) {
      entries.add(new VirtualDirectory(place, new EntryId(2 + i), 1, Instant.EPOCH, Instant.EPOCH, Metadata.NONE, -1));
      entries.add(new Junction(place, new EntryId(3 + i), 1, Instant.EPOCH, Instant.EPOCH, Metadata.NONE,
          List.of(EndpointReference.ofAddress("http://host/" + "x".repeat(referenceChars)))));
    }
    return List.copyOf(entries);
  }

  private static String oneByOne(List<Entry> entries, ListingForm listing, ReplyForm form) {
    XmlBuffer out = new XmlBuffer(16);
    entries.forEach(entry -> listing.writeEntry(out, entry, form));
    return out.toString();
  }

  @Test
  void keepsListsThatAreWrittenAgain() {
    List<Entry> entries = entries(100, 1);
    assertThat(pages.of(entries, EntryOperations.LIST, EXTENDED)).isNull();
    byte[] written = pages.of(entries, EntryOperations.LIST, EXTENDED);
    assertThat(written).asString().isEqualTo(oneByOne(entries, EntryOperations.LIST, EXTENDED));
    assertThat(pages.of(entries, EntryOperations.LIST, new ReplyForm(true, "http://there/rns"))).isSameAs(written);
    assertThat(pages.of(entries(100, 1), EntryOperations.LIST, EXTENDED)).as("another list").isNull();
  }

  @Test
  void tellsFormsApart() {
    List<Entry> entries = entries(100, 1);
    byte[] unused = pages.of(entries, EntryOperations.LIST, EXTENDED);
    for (ReplyForm form : List.of(EXTENDED, HERE, THERE, EXTENDED)) {
      for (ListingForm listing : List.of(EntryOperations.LIST, EntryOperations.LOOKUP_11)) {
        assertThat(pages.of(entries, listing, form)).asString().isEqualTo(oneByOne(entries, listing, form));
      }
    }
    assertThat(oneByOne(entries, EntryOperations.LIST, HERE))
        .isNotEqualTo(oneByOne(entries, EntryOperations.LIST, THERE));
  }

  @Test
  void keepsNeitherShortNorLargeLists() {
    for (List<Entry> entries : List.of(entries(WrittenPages.LEAST_ENTRIES - 2, 1), entries(100, 30_000))) {
      for (int i = 0; i < 3; i++) {
        assertThat(pages.of(entries, EntryOperations.LIST, EXTENDED)).isNull();
      }
    }
    List<Entry> least = entries(WrittenPages.LEAST_ENTRIES, 1);
    assertThat(pages.of(least, EntryOperations.LIST, EXTENDED)).isNull();
    assertThat(pages.of(least, EntryOperations.LIST, EXTENDED)).isNotNull();
  }
}
