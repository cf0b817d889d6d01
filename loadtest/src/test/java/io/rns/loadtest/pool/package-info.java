/** Tests of the loads on server pools; each has servers of its own on this machine. */
@NullMarked
package io.rns.loadtest.pool;

import org.jspecify.annotations.NullMarked;
