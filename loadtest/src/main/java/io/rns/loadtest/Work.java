package io.rns.loadtest;

import io.rns.api.Consistency;
import io.rns.loadtest.work.Keys;
import io.rns.loadtest.work.Mix;

/**
 * What the requests of a load are about.
 *
 * @param mix of operations, for a load that has several
 * @param paths how many different paths are looked up
 * @param depth how many names each of them has
 * @param fanOut how many entries a directory has
 * @param keys which paths are asked for, and how often
 * @param referenceBytes how long the XML of each endpoint reference is at least
 * @param consistency how much a read of a mix, or through the Java client, must see
 */
public record Work(
    Mix mix, int paths, int depth, int fanOut, Keys keys, int referenceBytes, Consistency consistency) {
  References references() {
    return new References(referenceBytes);
  }
}
