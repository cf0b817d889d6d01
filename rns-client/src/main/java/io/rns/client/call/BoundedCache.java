package io.rns.client.call;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Values that are kept for a time, the most recently used ones, up to a number. Safe for use by many threads.
 *
 * @param <K> by what they are found
 * @param <V> the values
 */
public final class BoundedCache<K, V> {
  private final Ticker ticker;
  private final long keptNanos;
  private final Map<K, Kept<V>> map;

  public BoundedCache(int most, Duration kept, Ticker ticker) {
    this.ticker = ticker;
    this.keptNanos = kept.toNanos();
    this.map =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<K, Kept<V>> eldest) {
            return size() > most;
          }
        };
  }

  private record Kept<V>(V value, long until) {}

  public synchronized Optional<V> get(K key) {
    Kept<V> kept = map.get(key);
    if (kept != null && kept.until() - ticker.nanos() <= 0) {
      map.remove(key);
      kept = null;
    }
    return kept == null ? Optional.empty() : Optional.of(kept.value());
  }

  public synchronized void put(K key, V value) {
    map.put(key, new Kept<>(value, ticker.nanos() + keptNanos));
  }

  /** Takes note that a value is used without being asked for. */
  public synchronized void touch(K key) {
    var unused = map.get(key);
  }

  public synchronized void remove(K key) {
    map.remove(key);
  }

  public synchronized void clear() {
    map.clear();
  }
}
