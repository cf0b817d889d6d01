package io.rns.api;

import io.rns.error.RnsError;
import io.rns.error.RnsException;

/**
 * Gives the content of an empty directory to another server group, or has that group own it. The directory's own entry
 * stays where it is.
 *
 * @param directory an empty directory other than the root; at the group that is to own it, its identity
 * @param group the server group that owns its content from now on, 0 to {@value Position#MAX_GROUP}
 * @param after at the group that is to own it, the version of the directory at the group that gives it, above 0; here
 *        it is greater. 0 at the group that gives it
 */
public record AssignRequest(Target directory, int group, long after) implements WriteRequest {
  /** At the group that gives it. */
  public AssignRequest(Target directory, int group) {
    this(directory, group, 0);
  }

  public AssignRequest {
    if (group < 0 || group > Position.MAX_GROUP) {
      throw new RnsException(
          RnsError.INVALID_REQUEST, "server group " + group + " is not between 0 and " + Position.MAX_GROUP);
    }
  }

  /** Whether it is for the group that is to own the directory, not for the one that gives it. */
  public boolean isAtOwner() {
    return after > 0;
  }

  @Override
  public boolean allOrNothing() {
    return true;
  }

  @Override
  public int size() {
    return 1;
  }
}
