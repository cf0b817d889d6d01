/**
 * The failover drill: runs a server group on this machine, loads it, breaks its primary in several ways, and has
 * everything that clients were told checked.
 *
 * <p>Entry class: {@link io.rns.loadtest.drill.Drill}. A drill is for one thread; what it starts records side by side.
 */
@NullMarked
package io.rns.loadtest.drill;

import org.jspecify.annotations.NullMarked;
