/**
 * Distance and faults between programs on this machine. Entry class: {@link io.rns.loadtest.link.Link}, a proxy of TCP
 * that delays what it passes on, and can be cut. Safe for use by many threads.
 */
@NullMarked
package io.rns.loadtest.link;

import org.jspecify.annotations.NullMarked;
