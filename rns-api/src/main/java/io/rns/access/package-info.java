/**
 * The format of access logs, which servers write and tools read.
 *
 * <p>Entry class: {@link io.rns.access.AccessLine}, which is immutable.
 */
@NullMarked
package io.rns.access;

import org.jspecify.annotations.NullMarked;
