/**
 * The whole service on one machine: an embedded MariaDB and a GlassFish with the WAR, or several of each as a group,
 * and a supervisor that starts, watches and stops them. Linux on x86-64 only, because of the database binary.
 *
 * <p>Entry classes: {@link io.rns.local.Up} and {@link io.rns.local.Down} (the commands),
 * {@link io.rns.local.LocalService} and {@link io.rns.local.LocalGroup} (the same from Java),
 * {@link io.rns.local.DatabaseProcess} and {@link io.rns.local.GlassFishProcess} (the parts, used alone by tests). The
 * server never uses this package. Process objects are thread-safe; everything else is immutable or not thread-safe.
 */
@NullMarked
package io.rns.local;

import org.jspecify.annotations.NullMarked;
