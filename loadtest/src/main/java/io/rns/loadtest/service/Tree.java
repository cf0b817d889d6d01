package io.rns.loadtest.service;

import io.rns.api.EntryName;
import io.rns.api.RnsPath;
import io.rns.loadtest.http.MessageTemplate;
import io.rns.loadtest.work.Places;
import java.util.stream.LongStream;

/**
 * A tree of many junctions, all at the same depth below its top; the uppermost directory may have more than
 * {@code fanOut} entries.
 */
public record Tree(RnsPath top, long leaves, int levels, int fanOut) {
  private static final int USUAL_LEVELS = 2;
  private static final int USUAL_FAN_OUT = 100;

  /** Three names below its top: 100 junctions in each directory, 100 of these directories in each directory above. */
  public Tree(RnsPath top, long leaves) {
    this(top, leaves, USUAL_LEVELS, USUAL_FAN_OUT);
  }

  /** How many directories hold the junctions. */
  public long directories() {
    return Math.ceilDiv(leaves, fanOut);
  }

  public RnsPath directory(long number) {
    return directory(number, levels);
  }

  private RnsPath directory(long number, int level) {
    return level == 1
        ? top.child(EntryName.of("d" + number))
        : directory(number / fanOut, level - 1).child(EntryName.of("d" + number % fanOut));
  }

  public RnsPath leaf(long number) {
    return directory(number / fanOut).child(leafName(number));
  }

  /** The name of the junction of a number, in the tree and in directories of many junctions. */
  public static EntryName leafName(long number) {
    return EntryName.of("e" + MessageTemplate.digits(number));
  }

  public Places places() {
    return new Places(LongStream.range(0, leaves).mapToObj(number -> leaf(number).toString()).toList(), fanOut);
  }
}
