/**
 * Processes limited to a share of the processors, so that a machine with few of them can stand for several smaller
 * ones.
 *
 * <p>Entry class: {@link io.rns.loadtest.quota.Quota}, by control groups of Linux. For one thread.
 */
@NullMarked
package io.rns.loadtest.quota;

import org.jspecify.annotations.NullMarked;
