package io.rns.server;

import io.rns.api.Right;
import java.util.EnumSet;
import java.util.Set;

/** All sets of rights, by number. */
public final class RightSets {
  /** How many there are. */
  public static final int COUNT = 1 << Right.values().length;

  private RightSets() {}

  /** The set whose rights are the bits of a number. */
  public static Set<Right> of(int number) {
    Set<Right> rights = EnumSet.noneOf(Right.class);
    Right[] all = Right.values();
    for (int i = 0; i < all.length; i++) {
      if ((number & 1 << i) != 0) {
        rights.add(all[i]);
      }
    }
    return rights;
  }
}
