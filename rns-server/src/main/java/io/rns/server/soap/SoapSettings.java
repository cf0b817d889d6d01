package io.rns.server.soap;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/**
 * What an operator may decide about the SOAP endpoint.
 *
 * @param publicUrl the URL under which callers reach the endpoint, put into the endpoint references of our directories;
 *        empty to take it from each request
 * @param bodyTimeout the longest time that the body of one request may take to arrive
 * @param largeRequests how many requests of more than {@value SoapFilter#LARGE_BYTES} bytes are held in memory at once;
 *        others wait, at most {@code bodyTimeout}
 * @param clock what faults are stamped with
 */
public record SoapSettings(
    Optional<String> publicUrl, Duration bodyTimeout, int largeRequests, InstantSource clock) {
  /** URL from each request, 60 s, 8 large requests, the machine's clock. */
  public static final SoapSettings DEFAULT =
      new SoapSettings(Optional.empty(), Duration.ofSeconds(60), 8, InstantSource.system());
}
