package io.rns.replication.partition;

import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.DepartRequest;
import io.rns.api.Entry;
import io.rns.api.Outcome;
import io.rns.error.RnsError;
import io.rns.error.RnsException;

/** Moves entries from one server group to another. */
@FunctionalInterface
public interface GroupMoves {
  /**
   * Moves an entry. At any instant readers find it in one of the two groups, or wait.
   *
   * @param call with a request id: the same one gets the first answer again
   * @param from the server group that has the entry
   * @param request the entry as that group knows it, and what is to become of it
   * @return the entry in its new place, with positions of both groups; or the refusal of one of them, in its words
   * @throws RnsException {@link RnsError#UNAVAILABLE} or {@link RnsError#TIMEOUT} if one of the groups does not answer;
   *         a move that has begun is completed or undone when both do
   */
  Answer<Outcome<Entry>> move(CallContext call, int from, DepartRequest request);
}
