package io.rns.server.namespace;

import io.rns.api.Answer;
import io.rns.api.ContentRequest;
import io.rns.api.Entry;
import io.rns.api.Outcome;

/** The primary of a server group, as what moves content asks it. */
@FunctionalInterface
interface ContentSteps {
  /**
   * Takes a step.
   *
   * @return the directory as it is then
   * @throws io.rns.error.RnsException as the writes of a {@link io.rns.api.NameService}
   */
  Answer<Outcome<Entry>> take(ContentRequest step);
}
