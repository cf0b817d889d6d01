/**
 * The whole service on one machine: an embedded MariaDB, a GlassFish with the WAR, or several of each as a group, and a
 * supervisor that starts, watches and stops them. Linux on x86-64 only, for the database's binary.
 *
 * <p>Entry classes: {@link io.rns.server.local.Up} and {@link io.rns.server.local.Down} (the commands),
 * {@link io.rns.server.local.LocalService} and {@link io.rns.server.local.LocalGroup} (all of it from Java),
 * {@link io.rns.server.local.DatabaseProcess} and {@link io.rns.server.local.GlassFishProcess} (the parts; tests use them
 * alone). The server itself never uses this package. A process object may be shared between threads; everything else
 * here is immutable or for one thread.
 */
@NullMarked
package io.rns.server.local;

import org.jspecify.annotations.NullMarked;
