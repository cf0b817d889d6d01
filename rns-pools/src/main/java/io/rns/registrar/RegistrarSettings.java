package io.rns.registrar;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.handlespace.HandlespaceSettings;

/**
 * The periods and bounds of a registrar. Registrars of one handlespace should agree on them.
 *
 * @param handlespace those of its handlespace
 * @param heartbeatMillis how often it says that it lives (PEER-HEARTBEAT-CYCLE), at least 1; each time is drawn from
 *        seven eighths of it to nine eighths
 * @param lastHeardMillis after which silence a peer is asked for a sign of life (MAX-TIME-LAST-HEARD); longer than the
 *        heartbeat
 * @param noResponseMillis how long an answer of a peer may take (MAX-TIME-NO-RESPONSE), at least 1
 * @param takeoverMillis how long a takeover that another registrar announced keeps this one from its own, at least 1
 * @param tableItems how many elements one answer with elements has at most, at least 1
 */
public record RegistrarSettings(
    HandlespaceSettings handlespace,
    long heartbeatMillis,
    long lastHeardMillis,
    long noResponseMillis,
    long takeoverMillis,
    int tableItems) {
  /** 2.4 s, 5 s, 5 s and 5 s, where RFC 5353 takes a minute to miss a peer; 128 items. */
  public static final RegistrarSettings DEFAULTS =
      new RegistrarSettings(HandlespaceSettings.DEFAULTS, 2_400, 5_000, 5_000, 5_000, 128);

  /** The times of RFC 5353, section 4: 30 s, 61 s, 5 s. */
  public static final RegistrarSettings STANDARD =
      new RegistrarSettings(HandlespaceSettings.DEFAULTS, 30_000, 61_000, 5_000, 5_000, 128);

  /** Other registrars that one knows at most; further ones are not heard. */
  public static final int PEERS = 256;

  /** Length of what announces one element to peers, at most: leaves room for what answers add. */
  public static final int ELEMENT_BYTES = 65_000;

  /**
   * Checks the bounds.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST}
   */
  public RegistrarSettings {
    check("heartbeat milliseconds", heartbeatMillis, 1);
    check("milliseconds to miss a peer", lastHeardMillis, heartbeatMillis + 1);
    check("milliseconds for an answer", noResponseMillis, 1);
    check("takeover milliseconds", takeoverMillis, 1);
    check("items of a table", tableItems, 1);
  }

  private static void check(String what, long value, long least) {
    if (value < least) {
      throw new RnsException(RnsError.INVALID_REQUEST, value + " " + what + " are fewer than " + least);
    }
  }
}
