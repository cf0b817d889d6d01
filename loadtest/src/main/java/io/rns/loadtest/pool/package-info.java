/**
 * Loads server pools over real sockets, with the code of production: registrars, elements and users. Servers are
 * simulated only in how long they take.
 *
 * <p>Entry classes: {@link io.rns.loadtest.pool.RenewalLoad}, {@link io.rns.loadtest.pool.PolicyContest},
 * {@link io.rns.loadtest.pool.ElementKill} and {@link io.rns.loadtest.pool.ResolutionContest}; each is for one thread.
 * What runs in a process of its own has a {@code main}.
 */
@NullMarked
package io.rns.loadtest.pool;

import org.jspecify.annotations.NullMarked;
