package io.rns.server.access;

import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.api.UpdateRequest.EntryChange;

/** Where a change puts an entry, as far as the request alone tells that. */
public final class MovedPath {
  private MovedPath() {}

  /**
   * The new path; empty if the entry stays where it is, and where the request alone does not tell the path, of an entry
   * by identity, and where it is beyond the limits of paths.
   */
  public static String of(EntryChange change) {
    if (change.name().isEmpty() && change.parent().isEmpty()) {
      return "";
    }
    Target from = change.target();
    if (from.path().isRoot() && (change.name().isEmpty() || change.parent().isEmpty())) {
      return "";
    }
    Target directory = change.parent().orElseGet(() -> new Target(from.start(), from.path().parent()));
    RnsPath place = RnsPath.childOrNull(directory.path(), change.name().orElseGet(() -> from.path().name()));
    return place == null ? "" : new Target(directory.start(), place).toString();
  }
}
