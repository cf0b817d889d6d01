/**
 * The access log: a line in a file for each operation that was asked for, off unless a file is named.
 *
 * <p>Entry class: {@link io.rns.server.access.AccessLog}; {@link io.rns.server.access.LineLog} writes other logs alike.
 * Requests hand their lines to one thread by a bounded queue and never wait for a disk; what does not fit, or cannot be
 * written, is dropped and counted. Safe for use by many threads.
 */
@NullMarked
package io.rns.server.access;

import org.jspecify.annotations.NullMarked;
