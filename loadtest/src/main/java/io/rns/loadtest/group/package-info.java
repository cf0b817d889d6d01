/**
 * Server groups of a run: started on this machine for it, and removed at its end.
 *
 * <p>Entry class: {@link io.rns.loadtest.group.ServerGroup}. A group is for one thread.
 */
@NullMarked
package io.rns.loadtest.group;

import org.jspecify.annotations.NullMarked;
