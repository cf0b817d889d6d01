/**
 * Shares of what callers have in common: places that are given to the caller that holds least.
 *
 * <p>Entry class: {@link io.rns.share.FairPlaces}, which is thread-safe.
 */
@NullMarked
package io.rns.share;

import org.jspecify.annotations.NullMarked;
