package io.rns.permission;

import io.rns.api.AccessRules;
import io.rns.api.EntryId;

/**
 * A directory above content, as far as access to the content depends on it.
 *
 * @param directory its identity
 * @param depth its place in the path of the content, 0 for the root
 * @param access what it says of access
 */
public record AboveDirectory(EntryId directory, int depth, AccessRules access) {}
