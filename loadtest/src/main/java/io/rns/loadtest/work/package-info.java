/**
 * What the clients of a load ask for: operations in some proportion, on entries chosen with some preference, drawn
 * from seeds so that a run can be repeated. It knows nothing of servers and messages.
 *
 * <p>Entry class: {@link io.rns.loadtest.work.Caller}, one for each client; callers are for one thread, all else is
 * immutable.
 */
@NullMarked
package io.rns.loadtest.work;

import org.jspecify.annotations.NullMarked;
