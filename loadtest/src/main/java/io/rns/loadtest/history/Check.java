package io.rns.loadtest.history;

import java.util.List;

/** Looks for breaches of one promise. */
interface Check {
  /** The breaches, each once; empty if the promise was kept. */
  List<Violation> of(History history, Paths paths);
}
