/**
 * What a server of a group does next, decided from one look at its database and the other members. Nothing here does
 * it.
 *
 * <p>Entry class: {@link io.rns.replication.membership.TopologyRules}, whose implementations keep nothing.
 */
@NullMarked
package io.rns.replication.membership;

import org.jspecify.annotations.NullMarked;
