/**
 * Signatures of what operators and servers of a group ask of a server, and of its answers. Both sides know a secret,
 * which is never sent.
 *
 * <p>Entry class: {@link io.rns.operator.OperatorKey}. All classes are immutable and safe for use by many threads.
 */
@NullMarked
package io.rns.operator;

import org.jspecify.annotations.NullMarked;
