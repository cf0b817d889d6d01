package io.rns.server.namespace;

import java.util.function.Function;

/** The states of a server group's database. */
interface GroupSnapshots {
  /** Runs reads of one state. */
  <T> T readSnapshot(Function<GroupRows, T> work);

  /** Runs reads of one state for as long as they take. */
  <T> T readAll(Function<GroupRows, T> work);
}
