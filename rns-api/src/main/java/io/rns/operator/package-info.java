/**
 * Signatures of the requests that operators and servers of a group send to a server, and of its responses. Both sides
 * share a secret, which is never sent.
 *
 * <p>Entry class: {@link io.rns.operator.OperatorKey}. All classes are immutable and safe for use by many threads.
 */
@NullMarked
package io.rns.operator;

import org.jspecify.annotations.NullMarked;
