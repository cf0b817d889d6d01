/**
 * The exception type with its codes, and the limits whose violation it reports.
 *
 * <p>Entry class: {@link io.rns.error.RnsException}. All types are immutable.
 */
@NullMarked
package io.rns.error;

import org.jspecify.annotations.NullMarked;
