package io.rns.association;

import java.util.Optional;

/**
 * How the ports of a registrar are protected.
 *
 * @param tls for all connections; empty for none
 * @param access what elements and users may do
 */
public record RegistrarProtection(Optional<AssociationTls> tls, AsapAccess access) {
  /** Neither encryption nor rules: for trusted networks. */
  public static final RegistrarProtection NONE = new RegistrarProtection(Optional.empty(), AsapAccess.OPEN);
}
