/**
 * What the clients of a load ask for: operations in some proportion, on entries chosen with some preference, drawn from
 * seeds so that a run can be repeated. It knows nothing of servers and messages.
 *
 * <p>Entry class: {@link io.rns.loadtest.work.WorkloadCaller}, one for each client. Callers and
 * {@link io.rns.loadtest.work.AccessLogs}, which makes traces of the logs of servers, are for one thread; all else is
 * safe to share or immutable.
 */
@NullMarked
package io.rns.loadtest.work;

import org.jspecify.annotations.NullMarked;
