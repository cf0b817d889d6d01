package io.rns.registrar;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.handlespace.HandlespaceSettings;

/**
 * Periods and limits of a registrar. All registrars of a handlespace should use the same.
 *
 * @param handlespace settings of its handlespace
 * @param heartbeatMillis period of its heartbeats (PEER-HEARTBEAT-CYCLE), at least 1; each interval is drawn from 7/8
 *        to 9/8 of it
 * @param lastHeardMillis silence after which a peer is asked for a sign of life (MAX-TIME-LAST-HEARD); longer than the
 *        heartbeat
 * @param noResponseMillis time a peer has to answer (MAX-TIME-NO-RESPONSE), at least 1
 * @param takeoverMillis how long a takeover announced by another registrar delays this one's own, at least 1
 * @param tableItems elements per answer to a table request, at least 1
 */
public record RegistrarSettings(
    HandlespaceSettings handlespace,
    long heartbeatMillis,
    long lastHeardMillis,
    long noResponseMillis,
    long takeoverMillis,
    int tableItems) {
  /** 2.4 s, 5 s, 5 s and 5 s, where RFC 5353 takes a minute to detect a failed peer; 128 items. */
  public static final RegistrarSettings DEFAULTS =
      new RegistrarSettings(HandlespaceSettings.DEFAULTS, 2_400, 5_000, 5_000, 5_000, 128);

  /** The times of RFC 5353, section 4: 30 s, 61 s, 5 s. */
  public static final RegistrarSettings STANDARD =
      new RegistrarSettings(HandlespaceSettings.DEFAULTS, 30_000, 61_000, 5_000, 5_000, 128);

  /** Maximum number of peers; messages of further ones are ignored. */
  public static final int PEERS = 256;

  /** Maximum number of peers whose messages come from one host. */
  public static final int PEERS_OF_HOST = 64;

  /** Maximum length of the announcement of one element, in bytes; leaves room for the headers of table answers. */
  public static final int ELEMENT_BYTES = 65_000;

  /**
   * Checks the limits.
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
      throw new RnsException(RnsError.INVALID_REQUEST, what + " must be at least " + least + ", not " + value);
    }
  }
}
