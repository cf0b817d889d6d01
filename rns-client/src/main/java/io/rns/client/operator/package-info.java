/**
 * What operators and servers of a group ask of a server, signed with the secret that they share.
 *
 * <p>Entry class: {@link io.rns.client.operator.SignedCalls}, which threads may share.
 */
@NullMarked
package io.rns.client.operator;

import org.jspecify.annotations.NullMarked;
