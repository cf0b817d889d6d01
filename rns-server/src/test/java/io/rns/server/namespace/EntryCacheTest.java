package io.rns.server.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.Metadata;
import io.rns.server.store.EntryKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EntryCacheTest {
  private final EntryCache cache = new EntryCache(1 << 20);

  /** Reads then took what the other commit changes for what was there before. */
  @Test
  void aWriterThatEndsLateEndsNotTheAnnouncementOfTheNextOne() {
    EntryCache.Announced late = announce();
    EntryCache.Announced next = announce();
    late.withdraw();
    assertThat(cache.announced()).isSameAs(next);
    late.publish(Map.of(), () -> {});
    assertThat(cache.announced()).isSameAs(next);
    next.withdraw();
    assertThat(cache.announced()).isNull();
  }

  /** What small publications add is counted by who publishes: nothing else may be left to do it. */
  @Test
  void smallPublicationsKeepTheBoundThemselves() {
    EntryId parent = new EntryId(1);
    List<EntryKey> keys = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      EntryName name = EntryName.of("entry-" + i);
      Entry entry =
          new Entry.Junction(
              new Entry.Binding(parent, name), new EntryId(2 + i), 1, Instant.EPOCH, Instant.EPOCH, Metadata.NONE,
              List.of(EndpointReference.ofAddress("urn:x")));
      EntryKey key = new EntryKey(parent.value(), name);
      keys.add(key);
      cache.announce(Set.of(key), Set.of(entry.id()), Set.of()).publish(Map.of(key, CachedBinding.of(entry)), () -> {});
    }
    long kept = keys.stream().filter(key -> cache.peek(key) != null).count();
    // Three quarters of its bytes, by about 1,000 of an entry.
    assertThat(kept).isBetween(500L, 810L);
    assertThat(cache.statistics().get("evictions").longValue()).isEqualTo(keys.size() - kept);
  }

  private EntryCache.Announced announce() {
    return cache.announce(Set.of(), Set.of(), Set.of());
  }
}
