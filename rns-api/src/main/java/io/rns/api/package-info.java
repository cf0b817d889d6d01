/**
 * The values of a resource namespace, the {@link io.rns.api.NameService} contract and its outcomes.
 *
 * <p>Entry class: {@link io.rns.api.NameService}. All other types are immutable values and safe to share between
 * threads.
 */
@NullMarked
package io.rns.api;

import org.jspecify.annotations.NullMarked;
