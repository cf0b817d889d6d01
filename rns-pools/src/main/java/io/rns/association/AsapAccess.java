package io.rns.association;

import java.net.InetAddress;
import java.security.cert.X509Certificate;
import java.util.List;

/** Decides what elements and users may do. Thread-safe. */
public interface AsapAccess {
  /** Everybody may do everything. */
  AsapAccess OPEN = (address, chain) -> AsapCaller.OPEN;

  /**
   * The caller at the other end of a connection; answers at once.
   *
   * @param chain the certificates that it has presented, its own first; TLS has verified that it has the key, and
   *        nothing else. Empty if there is none
   */
  AsapCaller caller(InetAddress address, List<X509Certificate> chain);
}
