/**
 * A small certificate authority and certificates in PEM files; entry class
 * {@link io.rns.certificate.CertificateAuthority}. Thread-safe.
 */
@NullMarked
package io.rns.certificate;

import org.jspecify.annotations.NullMarked;
