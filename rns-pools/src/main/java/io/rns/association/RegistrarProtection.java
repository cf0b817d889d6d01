package io.rns.association;

import java.util.Optional;

/**
 * How the ports of a registrar are protected.
 *
 * @param tls for all connections; empty for none
 * @param access what elements and users may do
 * @param limits of connections and their memory
 */
public record RegistrarProtection(Optional<AssociationTls> tls, AsapAccess access, AssociationLimits limits) {
  /** Neither encryption nor rules: for trusted networks. */
  public static final RegistrarProtection NONE = new RegistrarProtection(Optional.empty(), AsapAccess.OPEN);

  /** Protection with limits that suit the heap of this process. */
  public RegistrarProtection(Optional<AssociationTls> tls, AsapAccess access) {
    this(tls, access, AssociationLimits.ofHeap(tls.isPresent()));
  }
}
