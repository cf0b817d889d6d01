/**
 * Tests of the handlespace, against a naive one and by hand.
 *
 * <p>Entry class: {@link io.rns.handlespace.NaiveHandlespace}, for one thread.
 */
@NullMarked
package io.rns.handlespace;

import org.jspecify.annotations.NullMarked;
