/** The partitions of the tree, as the servers of all groups tell each other, and what operators do with them. */
@org.jspecify.annotations.NullMarked
package io.rns.server.partition;
