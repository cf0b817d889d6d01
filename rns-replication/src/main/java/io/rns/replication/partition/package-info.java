/** Which server group owns which part of the tree. Immutable values. */
@org.jspecify.annotations.NullMarked
package io.rns.replication.partition;
