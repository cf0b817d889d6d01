package io.rns.server.namespace;

import io.rns.api.Answer;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.Outcome;
import io.rns.api.Refusal;
import io.rns.api.SubtreePage;
import io.rns.api.SubtreeRequest;

/** Pages of subtrees. What a page costs depends on the page, and on how deep it begins, not on the subtree. */
final class SubtreeReader {
  private final TreeReader reader;

  SubtreeReader(TreeReader reader) {
    this.reader = reader;
  }

  Answer<Outcome<SubtreePage>> read(SubtreeRequest request) {
    TreeReader.Read<Outcome<SubtreePage>> read =
        reader.inSnapshot(
            (source, connection, budget) -> switch (Resolution.directory(source, request.directory())) {
              case Outcome.Done(VirtualDirectory directory) ->
                Outcome.done(new SubtreeScan(request, source, connection, budget).page(directory));
              case Outcome.Refused(Refusal refusal) -> Outcome.refused(refusal);
            });
    return Answer.of(read.value(), read.position());
  }
}
