/**
 * The values of a resource namespace, the {@link io.rns.api.NameService} contract, its outcomes, errors and limits.
 *
 * <p>Entry class: {@link io.rns.api.NameService}. Every type here but {@code NameService} is an immutable value and
 * safe to share between threads.
 */
@NullMarked
package io.rns.api;

import org.jspecify.annotations.NullMarked;
