/**
 * A server as a member of a group: the role it derives from its database, its reports to other members, and the
 * commands of members and operators ({@code /group/*}).
 *
 * <p>Entry classes: {@link io.rns.server.group.GroupMembership}, {@link io.rns.server.group.GroupServlet}.
 */
@NullMarked
package io.rns.server.group;

import org.jspecify.annotations.NullMarked;
