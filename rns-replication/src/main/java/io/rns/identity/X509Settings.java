package io.rns.identity;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Whose certificates prove who a caller is.
 *
 * @param authorities a directory of certificate authorities as OpenSSL names its files ({@code HASH.0}, {@code HASH.r0}
 *        for revocation lists, {@code HASH.namespaces} or {@code HASH.signing_policy}), or a PEM file with their
 *        certificates; empty if certificates prove nothing
 * @param revocationListsNeeded whether certificates of an authority without a valid revocation list are refused
 * @param voms a directory {@code VO/HOST.lsc} of the VOMS servers whose attributes count; empty for none
 */
public record X509Settings(Optional<Path> authorities, boolean revocationListsNeeded, Optional<Path> voms) {
  /** Certificates prove nothing. */
  public static final X509Settings NONE = new X509Settings(Optional.empty(), false, Optional.empty());

  /**
   * Checks that the settings fit together.
   *
   * @throws IllegalArgumentException if VOMS servers are named without authorities that may have certified them
   */
  public X509Settings {
    if (authorities.isEmpty() && voms.isPresent()) {
      throw new IllegalArgumentException("without certificate authorities, VOMS servers cannot be verified");
    }
  }
}
