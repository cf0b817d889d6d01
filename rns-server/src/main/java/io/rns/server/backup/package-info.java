/**
 * Backups: all that a service keeps as one file, and back. {@link io.rns.server.backup.BackupFile} has the form of the
 * file.
 *
 * <p>Entry class: {@link io.rns.server.backup.BackupServlet}.
 */
@NullMarked
package io.rns.server.backup;

import org.jspecify.annotations.NullMarked;
