package io.rns.server.partition;

import io.rns.api.EntryId;
import io.rns.api.Metadata;
import io.rns.permission.AboveDirectory;

/**
 * A directory above content, as JSON between servers.
 *
 * @param id its identity
 * @param depth its place in the path of the content
 * @param access the element of its metadata that says something of access
 */
record AboveJson(EntryId id, int depth, String access) {
  /** A directory whose depth differs. */
  static AboveJson of(AboveDirectory directory, int deeper) {
    return new AboveJson(directory.directory(), directory.depth() + deeper, directory.access().xml());
  }

  /** The directory; nobody may do anything by an element that is not understood. */
  AboveDirectory directory(int deeper) {
    return new AboveDirectory(id, depth + deeper, Metadata.stored(access).access());
  }
}
