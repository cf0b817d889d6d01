/**
 * Changes of the tree as they are committed: entry class {@link io.rns.client.watch.ChangeStream}.
 */
@NullMarked
package io.rns.client.watch;

import org.jspecify.annotations.NullMarked;
