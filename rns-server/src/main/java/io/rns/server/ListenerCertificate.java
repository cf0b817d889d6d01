package io.rns.server;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * The certificate that the HTTPS listener of this JVM presents, as the guard reports it.
 *
 * @param expires when it expires
 * @param problem why the files on disk are not what is served; empty if they are
 */
record ListenerCertificate(Instant expires, String problem) {
  /** Long enough to act, and shorter than what is left when {@code ./rns up} renews its own. */
  static final Duration WARNING = Duration.ofDays(14);

  private static final String NAME = "io.rns:type=ServedCertificate";

  /** The certificate now; empty without HTTPS, or if another component serves it. */
  static Optional<ListenerCertificate> now() {
    MBeanServer management = ManagementFactory.getPlatformMBeanServer();
    try {
      ObjectName name = new ObjectName(NAME);
      long notAfter = (Long) management.getAttribute(name, "NotAfterMillis");
      String problem = String.valueOf(management.getAttribute(name, "Problem"));
      return Optional.of(new ListenerCertificate(Instant.ofEpochMilli(notAfter), problem));
    } catch (InstanceNotFoundException e) {
      return Optional.empty();
    } catch (JMException e) {
      throw new IllegalStateException("the guard of this server is of another version", e);
    }
  }

  /** Seconds until it expires; negative afterwards. */
  long secondsLeft(Instant now) {
    return ChronoUnit.SECONDS.between(now, expires);
  }

  /** What an operator has to know; empty if nothing. */
  Optional<String> warning(Instant now) {
    if (!now.isBefore(expires)) {
      return Optional.of("the certificate expired at " + expires);
    }
    return now.plus(WARNING).isBefore(expires)
        ? Optional.empty()
        : Optional.of("the certificate expires at " + expires);
  }
}
