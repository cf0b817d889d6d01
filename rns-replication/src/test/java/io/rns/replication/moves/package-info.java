/** A model of moves between server groups as pure values: what their commits do, and histories of them in any order. */
@org.jspecify.annotations.NullMarked
package io.rns.replication.moves;
