/**
 * Other services that keep names, started on this machine and asked for the same as RNS: ZooKeeper, OpenLDAP and etcd.
 * Each listens on 127.0.0.1 only, keeps its data in a directory that it is given, and has every commit on the disk
 * before it answers.
 *
 * <p>Entry class: {@link io.rns.loadtest.peer.PeerService}. Peers are thread-safe; their sessions are for one thread
 * each.
 */
@NullMarked
package io.rns.loadtest.peer;

import org.jspecify.annotations.NullMarked;
