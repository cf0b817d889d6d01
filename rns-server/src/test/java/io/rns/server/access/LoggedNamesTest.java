package io.rns.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Caller;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.ListRequest;
import io.rns.api.ModelNameService;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.Page;
import io.rns.api.Precondition;
import io.rns.api.QueryRequest;
import io.rns.api.RemoveRequest;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.Routing;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.error.RnsException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What of requests is taken down. */
class LoggedNamesTest {
  private static final CallContext CALL = CallContext.ANONYMOUS;
  private static final EndpointReference REFERENCE = EndpointReference.ofAddress("urn:x");

  private final NameService service = new ModelNameService();

  /** The lines of what is asked, without the time, each of which took 5 microseconds. */
  private List<String> lines(Consumer<NameService> asked) {
    return lines(service, asked);
  }

  private static List<String> lines(NameService service, Consumer<NameService> asked) {
    AtomicLong nanos = new AtomicLong();
    CollectedLines lines = CollectedLines.open();
    try (AccessLog log =
        AccessLog.start(lines, InstantSource.fixed(Instant.parse("2026-01-02T03:04:05Z")), () -> nanos.getAndAdd(5_999),
            1_000)) {
      asked.accept(log.over(service, "s:1"));
      assertThat(log.statistics()).containsEntry("accessLogDropped", 0L);
    }
    String time = "2026-01-02T03:04:05.000000Z\ts:1\t";
    assertThat(lines.lines()).allSatisfy(line -> assertThat(line).startsWith(time).endsWith("\t5"));
    return lines.lines().stream().map(line -> line.substring(time.length(), line.length() - 2).replace('\t', ' '))
        .toList();
  }

  private static NewEntry junction(String path) {
    return NewEntry.junction(Target.of(path), REFERENCE);
  }

  @Test
  void everyItemHasALineWithItsOwnOutcome() {
    AddRequest batch =
        AddRequest.of(NewEntry.directory(Target.of("/d")), junction("/d/j"), junction("/d/j"), junction("/no/j"));
    assertThat(lines(names -> names.add(CALL, batch)))
        .containsExactly("- mkdir /d - ok", "- add /d/j - ok", "- add /d/j - ENTRY_EXISTS",
            "- add /no/j - NO_SUCH_ENTRY");
    assertThat(lines(names -> names.query(CALL, QueryRequest.of(Target.ROOT, Target.of("/d/k")))))
        .containsExactly("- query / - ok", "- query /d/k - NO_SUCH_ENTRY");
    assertThat(lines(names -> names.list(CALL, ListRequest.of(Target.of("/d/j")))))
        .containsExactly("- list /d/j - NOT_DIRECTORY");
    RemoveRequest removals =
        RemoveRequest.of(Removal.of(Target.of("/d")), Removal.of(Target.of("/d/j")), Removal.of(Target.of("/d")));
    assertThat(lines(names -> names.remove(CALL, removals)))
        .containsExactly("- remove /d - NOT_EMPTY", "- remove /d/j - ok", "- remove /d - ok");
  }

  @Test
  void changesOfThePlaceAreMovesWithTheNewPath() {
    service.add(CALL, AddRequest.of(junction("/a/b/j")).withParents());
    EntryName name = EntryName.of("k");
    EntryChange parentOnly =
        new EntryChange(
            Target.of("/a/b/k"),
            Optional.empty(),
            Optional.of(Target.of("/a")),
            Optional.empty(),
            Optional.empty(),
            Precondition.NONE);
    EntryId id = service.query(CALL, QueryRequest.of(Target.of("/a"))).value().get(0).orThrow().id();
    UpdateRequest changes =
        UpdateRequest.of(
            EntryChange.references(Target.of("/a/b/j"), List.of(REFERENCE)),
            EntryChange.rename(Target.of("/a/b/j"), name),
            parentOnly,
            EntryChange.move(Target.of("/a/k"), Target.of(id).child(EntryName.of("b")), EntryName.of("l")),
            EntryChange.rename(Target.of(id), EntryName.of("z")),
            EntryChange.rename(Target.ROOT, name));
    assertThat(lines(names -> names.update(CALL, changes)))
        .containsExactly(
            "- update /a/b/j - ok",
            "- move /a/b/j /a/b/k ok",
            "- move /a/b/k /a/k ok",
            "- move /a/k [" + id + "]/b/l ok",
            "- move [" + id + "]/ - ok",
            "- move / - ROOT_IS_FIXED");
  }

  @Test
  void callersAreTold() {
    CallContext anna = new CallContext(new Caller("anna", Set.of()), Optional.empty());
    assertThat(lines(names -> names.query(anna, QueryRequest.of(Target.ROOT)))).containsExactly("anna query / - ok");
  }

  @Test
  void aRequestThatFailsAltogetherIsTold() {
    service.add(CALL, AddRequest.of(junction("/d/a"), junction("/d/b")).withParents());
    Page page = service.list(CALL, ListRequest.of(Target.of("/d")).pagesOf(1)).value().orThrow();
    ListRequest wrong = ListRequest.of(Target.ROOT).from(page.next().orElseThrow());
    assertThat(lines(names -> assertThatThrownBy(() -> names.list(CALL, wrong)).isInstanceOf(RnsException.class)))
        .containsExactly("- list / - INVALID_CURSOR");
  }

  @Test
  void aReferralIsTold() {
    NameService replica = new ModelNameService() {
      @Override
      public synchronized Answer<List<Outcome<Entry>>> query(CallContext call, QueryRequest request) {
        return new Answer.Referred<>("http://a/rns", "the primary is http://a/rns");
      }
    };
    assertThat(lines(replica, names -> names.query(CALL, QueryRequest.of(Target.ROOT))))
        .containsExactly("- query / - NOT_PRIMARY");
  }

  @Test
  void whatAServerForwardsIsTakenDownThere() {
    assertThat(lines(names -> names.query(CALL.with(Routing.HERE), QueryRequest.of(Target.ROOT)))).isEmpty();
  }
}
