/** Pools of a server. */
@NullMarked
package io.rns.server.pool;

import org.jspecify.annotations.NullMarked;
