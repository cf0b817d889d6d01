/** Tests of backups. */
@NullMarked
package io.rns.server.backup;

import org.jspecify.annotations.NullMarked;
