/**
 * All operations in one table: which codec reads the body of a request.
 *
 * <p>Entry class: {@link io.rns.wire.operation.RequestReader}, without state and safe for use by many threads.
 */
@NullMarked
package io.rns.wire.operation;

import org.jspecify.annotations.NullMarked;
