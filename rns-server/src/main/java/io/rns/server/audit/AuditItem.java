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
  long bytes(boolean isBrief) {
    return AuditEvent.OBJECT_IN_LIST + AuditEvent.size(path, isBrief) + AuditEvent.size(to, isBrief);
  }

  /** The same with texts that are not longer. */
  AuditItem cut(int most) {
    return new AuditItem(AuditEvent.cut(path, most), AuditEvent.cut(to, most), error);
  }
}
