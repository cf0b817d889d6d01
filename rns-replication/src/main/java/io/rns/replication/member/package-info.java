/**
 * This server as a member of its group: its role, its database and its copy of the tree, which change together.
 *
 * <p>Entry class: {@link io.rns.replication.member.LocalMember}. It changes at the commands of other members and
 * operators, and by itself as {@link io.rns.replication.membership.TopologyRules} decide.
 */
@NullMarked
package io.rns.replication.member;

import org.jspecify.annotations.NullMarked;
