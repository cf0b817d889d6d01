package io.rns.association;

import javax.net.ssl.SSLContext;

/**
 * Keys and trust for connections that are protected by TLS 1.3 or 1.2. Contexts may change from one connection to the
 * next, as when a certificate was renewed. Thread-safe; answers at once.
 */
public interface AssociationTls {
  /** For a connection from another registrar, which must present a certificate, or from an element or user. */
  SSLContext accepting(Protocol protocol);

  /**
   * For a connection to another registrar, or to the control address of an element. The trust managers check the name
   * in the certificate; the engine knows the address that the connection leads to.
   */
  SSLContext connecting(Protocol protocol);

  /** Whether elements and users are asked for a certificate, which they need not have. */
  boolean asksForCertificates();
}
