/**
 * Decides the next step of a server in its group from one view of its database and the other members. Does not carry it
 * out.
 *
 * <p>Entry class: {@link io.rns.replication.membership.TopologyRules}, whose implementations are stateless.
 */
@NullMarked
package io.rns.replication.membership;

import org.jspecify.annotations.NullMarked;
