/** Tests of what requests may hold. */
@NullMarked
package io.rns.server.memory;

import org.jspecify.annotations.NullMarked;
