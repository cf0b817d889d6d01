/**
 * The whole service on one machine: an embedded MariaDB, a GlassFish with the WAR, or several of each as a group, and a
 * supervisor that starts, watches and stops them. Linux on x86-64 only, for the database's binary.
 *
 * <p>Entry classes: {@link io.rns.local.Up} and {@link io.rns.local.Down} (the commands),
 * {@link io.rns.local.LocalService} and {@link io.rns.local.LocalGroup} (all of it from Java),
 * {@link io.rns.local.DatabaseProcess} and {@link io.rns.local.GlassFishProcess} (the parts; tests use them alone). The
 * server itself never uses this package. A process object may be shared between threads; everything else here is
 * immutable or for one thread.
 */
@NullMarked
package io.rns.local;

import org.jspecify.annotations.NullMarked;
