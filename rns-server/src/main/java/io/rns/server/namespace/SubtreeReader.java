package io.rns.server.namespace;

import io.rns.api.Answer;
import io.rns.api.Outcome;
import io.rns.api.Refusal;
import io.rns.api.Right;
import io.rns.api.SubtreePage;
import io.rns.api.SubtreePosition;
import io.rns.api.SubtreeRequest;
import io.rns.api.Target;
import io.rns.server.namespace.Resolution.Opened;
import java.util.Optional;

/** Pages of subtrees. What a page costs depends on the page, and on how deep it begins, not on the subtree. */
final class SubtreeReader {
  private final TreeReader reader;

  SubtreeReader(TreeReader reader) {
    this.reader = reader;
  }

  Answer<Outcome<SubtreePage>> read(TreeAccess access, SubtreeRequest request, long ageMillis) {
    TreeReader.Read<Outcome<SubtreePage>> read =
        reader.inSnapshot(
            access,
            (source, connection, budget) -> {
              switch (Resolution.directory(source, request.directory(), Right.LIST)) {
                case Outcome.Refused(Refusal refusal) -> {
                  return Outcome.refused(refusal);
                }
                case Outcome.Done(Opened opened) -> {
                  Optional<Refusal> elsewhere = behindCut(source, request);
                  return elsewhere.isPresent()
                      ? Outcome.refused(elsewhere.get())
                      : Outcome.done(new SubtreeScan(request, source, connection, budget).page(opened));
                }
              }
            });
    return read.answer(ageMillis);
  }

  /** The refusal of a page that begins with content of another server group, if so deep content is wanted. */
  private static Optional<Refusal> behindCut(EntrySource source, SubtreeRequest request) {
    if (request.after().isEmpty()) {
      return Optional.empty();
    }
    SubtreePosition after = request.after().get();
    Target at = new Target(request.directory().start(), after.path());
    // Also loads what is not cached of the path, several levels at a time.
    Resolution resolution =
        after.isDirectory() && !after.past() ? Resolution.ofContent(source, at) : Resolution.of(source, at);
    if (resolution instanceof Resolution.Moving moving) {
      throw moving.met();
    }
    return resolution instanceof Resolution.Delegated delegated
        && delegated.depth() - request.directory().path().depth() < request.depth()
            ? Optional.of(delegated.refused(at))
            : Optional.empty();
  }
}
