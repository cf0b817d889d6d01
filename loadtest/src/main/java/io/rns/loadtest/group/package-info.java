/**
 * Services and server groups of a run: started on this machine for it, and removed at its end.
 *
 * <p>Entry classes: {@link io.rns.loadtest.group.TemporaryService} and {@link io.rns.loadtest.group.ServerGroup}. Each
 * is for one thread.
 */
@NullMarked
package io.rns.loadtest.group;

import org.jspecify.annotations.NullMarked;
