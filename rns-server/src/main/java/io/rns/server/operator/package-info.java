/**
 * Who may control this server: requests signed with the secret of its operators, each taken once, and answers signed in
 * turn.
 *
 * <p>Entry class: {@link io.rns.server.operator.OperatorGate}, which threads may share.
 */
@NullMarked
package io.rns.server.operator;

import org.jspecify.annotations.NullMarked;
