package io.rns.guard;

/** The certificate of the listener, for management: {@code io.rns:type=ServedCertificate}. */
public interface ServedCertificateMXBean {
  /** When it expires, in milliseconds since 1970. */
  long getNotAfterMillis();

  /** Why the files on disk are not what is served; empty if they are. */
  String getProblem();
}
