package io.rns.loadtest.load;

import io.rns.api.Consistency;
import io.rns.loadtest.work.Keys;
import io.rns.loadtest.work.Mix;

/**
 * What the requests of a load are about.
 *
 * @param referenceBytes the least length of the XML of each endpoint reference
 * @param consistency what a read of a mix, or through the Java client, must see
 */
public record Work(
    Mix mix, int paths, int depth, int fanOut, Keys keys, int referenceBytes, Consistency consistency) {
  /** A thousand paths of four names, to query. */
  public static final Work QUERIES =
      new Work(Mix.parse(Mix.HDFS), 1_000, 4, 100, Keys.UNIFORM, 0, Consistency.SESSION);
}
