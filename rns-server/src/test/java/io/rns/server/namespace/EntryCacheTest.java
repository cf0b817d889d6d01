package io.rns.server.namespace;

import static org.assertj.core.api.Assertions.assertThat;

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

  private EntryCache.Announced announce() {
    return cache.announce(Set.of(), Set.of(), Set.of());
  }
}
