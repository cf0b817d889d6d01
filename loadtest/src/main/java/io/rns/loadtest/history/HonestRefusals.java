package io.rns.loadtest.history;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** {@link Promise#HONEST_REFUSALS}. */
final class HonestRefusals implements Check {
  @Override
  public List<Violation> of(History history, Paths paths) {
    Set<String> log = new HashSet<>();
    history.events().forEach(event -> log.add(event.kind() + " " + event.path()));
    List<Violation> found = new ArrayList<>();
    for (Write write : history.writes()) {
      if (!(write.told() instanceof WriteOutcome.Refused refused)) {
        continue;
      }
      String said = write + " was refused with " + refused.code() + " (" + refused.message() + ")";
      if (refused.byTheNamespace()) {
        found.add(new Violation(Promise.HONEST_REFUSALS, said));
      } else if (log.contains(write.kind() + " " + write.path()) && isTheOnlyCall(write, paths)) {
        found.add(new Violation(Promise.HONEST_REFUSALS, said + " and yet applied"));
      }
    }
    return found;
  }

  /** Whether no other call of the request can have applied it. */
  private static boolean isTheOnlyCall(Write write, Paths paths) {
    return paths.of(write.path()).stream()
        .filter(other -> other.requestId().equals(write.requestId()))
        .allMatch(other -> other.told() instanceof WriteOutcome.Refused);
  }
}
