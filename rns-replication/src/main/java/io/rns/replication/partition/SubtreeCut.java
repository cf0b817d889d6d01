package io.rns.replication.partition;

import io.rns.api.Outcome;
import io.rns.api.Refusal;
import io.rns.api.RnsPath;
import io.rns.api.SubtreePage;
import io.rns.api.SubtreePage.Visit;
import io.rns.api.SubtreePosition;
import io.rns.api.SubtreeRequest;
import io.rns.api.Target;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.Optional;

/**
 * A directory on the way of a subtree whose content another group owns.
 *
 * @param directory the directory
 * @param levels of the subtree above its content
 * @param owner the group
 * @param request for what follows in that content
 */
record SubtreeCut(RnsPath directory, int levels, int owner, SubtreeRequest request) {
  /** The cut at which a page has to begin, as the group above says; empty if there is none. */
  static Optional<SubtreeCut> of(SubtreeRequest asked, Outcome<SubtreePage> answer) {
    if (!(answer instanceof Outcome.Refused<SubtreePage>(Refusal.Delegated refusal)) || asked.after().isEmpty()) {
      return Optional.empty();
    }
    SubtreePosition after = asked.after().get();
    int levels = refusal.depth() - asked.directory().path().depth();
    Optional<SubtreePosition> below =
        after.path().depth() > refusal.depth() ? Optional.of(after.from(refusal.depth())) : Optional.empty();
    SubtreeRequest there = new SubtreeRequest(
        Target.of(refusal.directory()), asked.order(), asked.depth() - levels, asked.filter(), asked.pageSize(), below);
    return Optional.of(new SubtreeCut(after.path().prefix(refusal.depth()), levels, refusal.group(), there));
  }

  /**
   * A page of the owner as a part of the subtree. Behind its last one, the group above goes on.
   *
   * @throws RnsException {@link RnsError#UNAVAILABLE} if the owner does not serve the content yet
   */
  Outcome<SubtreePage> told(Outcome<SubtreePage> answer) {
    return switch (answer) {
      case Outcome.Done<SubtreePage>(SubtreePage page) -> Outcome.done(
          new SubtreePage(
              page.entries().stream().map(this::told).toList(),
              Optional.of(
                  page.next().map(at -> at.below(directory)).orElseGet(() -> SubtreePosition.past(directory))),
              page.visited()));
      case Outcome.Refused<SubtreePage>(Refusal refusal) -> throw new RnsException(
          RnsError.UNAVAILABLE,
          "server group " + owner + " does not serve the content of '" + directory + "': " + refusal.message());
    };
  }

  private Visit told(Visit visit) {
    return new Visit(directory.resolve(visit.path()), visit.entry(), levels + visit.depth(), visit.last());
  }
}
