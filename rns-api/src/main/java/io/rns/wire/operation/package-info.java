/**
 * The table of all operations: selects the codec for the body of a request.
 *
 * <p>Entry class: {@link io.rns.wire.operation.RequestReader}, stateless and safe for use by many threads.
 */
@NullMarked
package io.rns.wire.operation;

import org.jspecify.annotations.NullMarked;
