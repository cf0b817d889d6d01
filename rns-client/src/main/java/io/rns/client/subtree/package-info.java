/**
 * Subtrees in one request, over plain HTTP: entry class {@link io.rns.client.subtree.SubtreeStream}. What
 * {@link io.rns.client.TreeWalk} uses where the server has it.
 */
@NullMarked
package io.rns.client.subtree;

import org.jspecify.annotations.NullMarked;
