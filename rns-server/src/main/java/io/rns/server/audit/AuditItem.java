package io.rns.server.audit;

import io.rns.error.RnsError;
import org.jspecify.annotations.Nullable;

/**
 * An entry that a request is about.
 *
 * @param path as the request names it
 * @param to the new path of a move; empty if there is none
 * @param error why this item was refused; null if it was not
 */
record AuditItem(String path, String to, @Nullable RnsError error) {
  long bytes() {
    return 64 + (long) path.length() + to.length();
  }
}
