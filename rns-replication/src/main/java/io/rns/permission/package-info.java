/**
 * What a caller may do: the access rules that hold in a directory, and their evaluation, wherever the tree is read.
 *
 * <p>Entry class: {@link io.rns.permission.AccessControl}. Everything is safe for use by many threads.
 */
@NullMarked
package io.rns.permission;

import org.jspecify.annotations.NullMarked;
