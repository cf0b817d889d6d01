package io.rns.replication.member;

import io.rns.error.RnsException;
import io.rns.replication.LocalCopy;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The copy of the tree in the database beside this server, as far as there is one. It changes under the lock of its
 * member; {@link #now} may be asked by any thread.
 *
 * @param <C> the copies
 */
final class TreeCopy<C extends MemberCopy> implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TreeCopy.class);

  private final Supplier<C> open;
  private volatile @Nullable C names;

  /** Whether it is known to belong to the tree of the group, and goes on with it. */
  private boolean following;

  /**
   * No copy yet.
   *
   * @param open begins to read what the database has; fails while it has no tables
   */
  TreeCopy(Supplier<C> open) {
    this.open = open;
  }

  /** The copy; null if there is none. */
  @Nullable
  C now() {
    return names;
  }

  /** The epoch of its position; 0 without one. */
  int epoch() {
    C copy = names;
    return copy == null ? 0 : copy.position().epoch();
  }

  boolean isFollowing() {
    return following;
  }

  /** What may be read of it, if it is known to belong to the tree. */
  Optional<LocalCopy> readable(boolean belongs) {
    return belongs ? Optional.ofNullable(names) : Optional.empty();
  }

  /** The copy, opened if need be. */
  C opened() {
    C copy = names;
    if (copy == null) {
      copy = open.get();
      names = copy;
    }
    return copy;
  }

  void openIfThereIsSomething() {
    try {
      opened();
    } catch (RnsException e) {
      LOG.debug("nothing to read yet: {}", e.getMessage());
    }
  }

  /** Follows the database's log. To be called when it is known that what the database has, the primary has, too. */
  void follow() {
    openIfThereIsSomething();
    C copy = names;
    if (copy != null) {
      copy.follow();
      following = true;
    }
  }

  /** It may have something now that is not in the tree. */
  void doubt() {
    following = false;
  }

  /** Ends writing; who waits goes on waiting until another primary is known. */
  void standDown(String why) {
    C copy = names;
    if (copy != null) {
      copy.standDown(why);
    }
  }

  /** Whether reads are known to see all that the database has. */
  boolean showsAll() {
    C copy = names;
    try {
      return copy != null && copy.showsAll();
    } catch (RnsException e) {
      LOG.info("what the database has is not known: {}", e.getMessage());
      return false;
    }
  }

  /** Ends what reads it, which goes elsewhere. */
  @Override
  public void close() {
    C copy = names;
    names = null;
    following = false;
    if (copy != null) {
      copy.close();
    }
  }
}
