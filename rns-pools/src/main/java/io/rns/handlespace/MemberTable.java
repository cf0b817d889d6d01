package io.rns.handlespace;

import org.jspecify.annotations.Nullable;

/**
 * The elements of a pool by id, in no order: finding one reads one or two places, where a tree would read one of each
 * of its levels. An element is in the first free place from where its id belongs. Ids are scattered by something that
 * nobody outside knows, so that nobody can choose ids that belong together. For one thread.
 */
final class MemberTable {
  private static final int LEAST_PLACES = 8;
  private static final int SCATTER = 0x9e37_79b9;

  private final int secret = System.identityHashCode(this);

  /**
   * 0, which is no id, where nobody is; apart from the elements, since most places that are read hold somebody else.
   */
  private int[] ids = new int[LEAST_PLACES];

  private @Nullable PoolMember[] members = new PoolMember[LEAST_PLACES];
  private int size;

  int size() {
    return size;
  }

  private int placeOf(int id) {
    int mixed = (id ^ secret) * SCATTER;
    mixed = (mixed ^ (mixed >>> 15)) * SCATTER;
    return (mixed ^ (mixed >>> 16)) & (ids.length - 1);
  }

  @Nullable
  PoolMember find(int id) {
    for (int place = placeOf(id); ids[place] != 0; place = (place + 1) & (ids.length - 1)) {
      if (ids[place] == id) {
        return members[place];
      }
    }
    return null;
  }

  /** An element whose id is not in. */
  void add(PoolMember member) {
    if (2 * (size + 1) > ids.length) {
      resize(2 * ids.length);
    }
    put(member);
    size++;
  }

  private void put(PoolMember member) {
    int place = placeOf(member.id);
    while (ids[place] != 0) {
      place = (place + 1) & (ids.length - 1);
    }
    ids[place] = member.id;
    members[place] = member;
  }

  private void resize(int places) {
    @Nullable
    PoolMember[] before = members;
    ids = new int[places];
    members = new PoolMember[places];
    for (PoolMember member : before) {
      if (member != null) {
        put(member);
      }
    }
  }

  /** An element that is in. Those behind it move up, so that they are found again. */
  void remove(PoolMember member) {
    int hole = placeOf(member.id);
    while (ids[hole] != member.id) {
      hole = (hole + 1) & (ids.length - 1);
    }
    for (int place = (hole + 1) & (ids.length - 1); ids[place] != 0; place = (place + 1) & (ids.length - 1)) {
      int away = (place - placeOf(ids[place])) & (ids.length - 1);
      if (away >= ((place - hole) & (ids.length - 1))) {
        ids[hole] = ids[place];
        members[hole] = members[place];
        hole = place;
      }
    }
    ids[hole] = 0;
    members[hole] = null;
    size--;
    if (ids.length > LEAST_PLACES && 8 * size < ids.length) {
      resize(ids.length / 2);
    }
  }
}
