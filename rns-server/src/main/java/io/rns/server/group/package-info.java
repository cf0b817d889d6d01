/**
 * A server as a member of a group: the role it takes from the database beside it, what it tells the other members, and
 * what they and operators may tell it to do ({@code /group/*}).
 *
 * <p>Entry classes: {@link io.rns.server.group.GroupMembership}, {@link io.rns.server.group.GroupServlet}.
 */
@NullMarked
package io.rns.server.group;

import org.jspecify.annotations.NullMarked;
