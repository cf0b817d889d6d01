/** How much memory requests may hold, in bytes: each one, and all together. */
@NullMarked
package io.rns.server.memory;

import org.jspecify.annotations.NullMarked;
