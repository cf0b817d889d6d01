package io.rns.registrar;

import java.nio.charset.StandardCharsets;

/**
 * Numbers for hosts that report unreachable elements. All registrars number a host alike, so that its reports to
 * several of them count once.
 */
public final class Reporters {
  /** This process itself. */
  public static final long NOBODY = 0;

  private static final long FNV_BASIS = 0xcbf2_9ce4_8422_2325L;
  private static final long FNV_PRIME = 0x100_0000_01b3L;

  private Reporters() {}

  /**
   * The number of a host: a hash of 64 bits (FNV-1a).
   *
   * @param address its network address, as text
   */
  public static long number(String address) {
    long hash = FNV_BASIS;
    for (byte octet : address.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (octet & 0xff)) * FNV_PRIME;
    }
    return hash;
  }
}
