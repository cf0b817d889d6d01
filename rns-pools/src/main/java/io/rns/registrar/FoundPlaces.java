package io.rns.registrar;

import io.rns.rserpool.IpAddress;
import io.rns.rserpool.Transport;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Places where registrars listen by their own announcements, which anybody may have sent. */
final class FoundPlaces {
  /** Places at a time; announcements of further ones are ignored. */
  static final int MOST = 32;

  /** Places of one address, such as several registrars of one machine. */
  static final int OF_ADDRESS = 8;

  private final long millis;
  private final Map<Transport.Tcp, Long> heardAt = new LinkedHashMap<>();

  /**
   * No places.
   *
   * @param millis after which a place that was not announced again is forgotten
   */
  FoundPlaces(long millis) {
    this.millis = millis;
  }

  /** A place was announced; returns whether it is a new one that has room. */
  boolean heard(Transport.Tcp place, long now) {
    forgetOld(now);
    boolean isNew = !heardAt.containsKey(place);
    if (isNew && (heardAt.size() >= MOST || ofAddress(place.address()) >= OF_ADDRESS)) {
      return false;
    }
    heardAt.put(place, now);
    return isNew;
  }

  private long ofAddress(IpAddress address) {
    return heardAt.keySet().stream().filter(place -> place.address().equals(address)).count();
  }

  /** Those announced lately. */
  List<Transport> all(long now) {
    forgetOld(now);
    return List.copyOf(heardAt.keySet());
  }

  private void forgetOld(long now) {
    heardAt.values().removeIf(at -> now - at > millis);
  }
}
