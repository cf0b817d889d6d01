/**
 * The handlespace: the pools of a namespace with their elements, as one registrar sees them. It is pure and
 * deterministic: no input or output, and time and randomness are given. Whoever speaks a protocol asks it and sends
 * what comes of it.
 *
 * <p>Sets, all balanced trees: per pool its elements by id (index) and by who is next (selection); over all pools by
 * the time of the next thing to do (timers) and by home registrar (ownership). The cost of an operation grows with the
 * logarithm of the elements.
 *
 * <p>Entry class: {@link io.rns.handlespace.Handlespace}, which is for one thread at a time. What it takes and gives
 * are immutable values.
 */
@NullMarked
package io.rns.handlespace;

import org.jspecify.annotations.NullMarked;
