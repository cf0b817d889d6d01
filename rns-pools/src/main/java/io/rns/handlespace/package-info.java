/**
 * The handlespace: the pools of a namespace with their elements, as one registrar sees them. Pure and deterministic: no
 * I/O; time and randomness are parameters. The code that speaks a protocol calls it and sends the results.
 *
 * <p>Sets: per pool its elements by id (index) and in selection order (selection); over all pools by the time of the
 * next timer (timers) and by home registrar (ownership). The cost of an operation is logarithmic in the number of
 * elements.
 *
 * <p>Entry class: {@link io.rns.handlespace.Handlespace}, which is not thread-safe. Its parameters and results are
 * immutable values.
 */
@NullMarked
package io.rns.handlespace;

import org.jspecify.annotations.NullMarked;
