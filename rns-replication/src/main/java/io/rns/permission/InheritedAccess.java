package io.rns.permission;

import io.rns.api.EntryId;
import io.rns.api.RnsPath;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What holds above the content that this server group owns of a tree whose root another group owns. Where nothing is
 * known of that, nothing is permitted yet.
 */
public final class InheritedAccess {
  private volatile Map<EntryId, AboveContent> known = Map.of();

  /**
   * What is above the content of a directory.
   *
   * @param path of the directory
   * @param directories from the root to the directory itself: those that say something of access
   */
  public record AboveContent(RnsPath path, List<AboveDirectory> directories) {
    public AboveContent {
      directories = List.copyOf(directories);
    }
  }

  /** What is known from now on, by the directories whose content the group owns. */
  public void replace(Map<EntryId, AboveContent> now) {
    known = Map.copyOf(now);
  }

  /** What is above the content of a directory; empty if that is not known. */
  public Optional<AboveContent> above(EntryId directory) {
    return Optional.ofNullable(known.get(directory));
  }
}
