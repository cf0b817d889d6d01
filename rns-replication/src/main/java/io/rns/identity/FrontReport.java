package io.rns.identity;

import io.rns.api.Hop;
import io.rns.api.HopStep;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How a front has passed a request on that is to be explained. A server believes it if the request also has the front's
 * {@link OriginPassing}. Stateless.
 */
public final class FrontReport {
  /** The header, which fronts take out of requests of clients. */
  public static final String HEADER = "RNS-Front";

  private static final int PARTS = 5;

  private FrontReport() {}

  /**
   * The text of the header.
   *
   * @param name of the front
   * @param micros until it passed the request on
   */
  public static String text(String name, long micros, HopStep.Finding finding, HopStep.Passed passed) {
    return Stream.of(name, Long.toString(micros), finding.name(), passed.url(), passed.reason())
        .map(part -> URLEncoder.encode(part, StandardCharsets.UTF_8)).collect(Collectors.joining(" "));
  }

  /**
   * Reads the text of the header.
   *
   * @param group of the server that reads it
   * @return empty if it is malformed, or of a later version
   */
  public static Optional<Hop.Answered> read(String text, int group) {
    String[] parts = text.split(" ", -1);
    if (parts.length != PARTS) {
      return Optional.empty();
    }
    try {
      for (int i = 0; i < PARTS; i++) {
        parts[i] = URLDecoder.decode(parts[i], StandardCharsets.UTF_8);
      }
      List<HopStep> steps =
          List.of(new HopStep.Cache(HopStep.Finding.valueOf(parts[2])), new HopStep.Passed(parts[3], parts[4]));
      return Optional.of(
          new Hop.Answered(
              new Hop.Self(parts[0], group, Hop.FRONT, Optional.empty()), Optional.empty(), Long.parseLong(parts[1]),
              steps));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
