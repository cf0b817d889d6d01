package io.rns.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.Answer;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.Metadata;
import io.rns.api.Outcome;
import io.rns.api.Position;
import io.rns.api.Refusal;
import io.rns.api.RemoveRequest;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.Target;
import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a move of content asks of answers in the form of a column. */
@Tag("server")
class AnswerColumnTest {
  private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");

  private static Entry.Binding in(long directory) {
    return new Entry.Binding(new EntryId(directory), EntryName.of("n"));
  }

  private static Set<EntryId> directories(List<Outcome<Entry>> outcomes) {
    RemoveRequest request =
        new RemoveRequest(outcomes.stream().map(each -> Removal.of(Target.of("/n"))).toList(), false);
    return AnswerColumn.directories(AnswerColumn.write(request, Answer.of(outcomes, new Position(1, 2, 3))));
  }

  @Test
  void theDirectoriesOfAllEntriesAreFoundAlsoBesideRefusals() {
    Entry junction = new Entry.Junction(
        in(7), new EntryId(70), 1, NOW, NOW, Metadata.NONE,
        List.of(EndpointReference.ofAddress("urn:x"), EndpointReference.ofAddress("urn:y")));
    Entry directory =
        new Entry.VirtualDirectory(in(8), new EntryId(80), 2, NOW, NOW, Metadata.NONE, -1, OptionalInt.empty());
    Entry cut = new Entry.VirtualDirectory(in(9), new EntryId(90), 3, NOW, NOW, Metadata.NONE, -1, OptionalInt.of(2));
    Entry root =
        new Entry.VirtualDirectory(null, EntryId.ROOT, 4, NOW, NOW, Metadata.NONE, -1, OptionalInt.empty());
    Outcome<Entry> missing = Outcome.refused(new Refusal.NoSuchEntry(Target.of("/a/b"), 1));
    Outcome<Entry> delegated =
        Outcome.refused(new Refusal.Delegated(Target.of("/\u00e9"), 1, 2, new EntryId(5)));

    assertThat(directories(List.of(Outcome.done(junction)))).containsExactly(new EntryId(7));
    assertThat(directories(List.of(missing, delegated, Outcome.done(root)))).isEmpty();
    assertThat(
        directories(
            List.of(
                missing, Outcome.done(junction), delegated, Outcome.done(directory), Outcome.done(junction),
                Outcome.done(root), Outcome.done(cut), missing)))
        .containsExactlyInAnyOrder(new EntryId(7), new EntryId(8), new EntryId(9));
  }
}
