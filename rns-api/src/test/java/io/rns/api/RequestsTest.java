package io.rns.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.AddRequest.NewEntry;
import io.rns.api.Entry.Binding;
import io.rns.api.Entry.Junction;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests validate their components on construction and report the facts. */
class RequestsTest {
  private static final Target A = Target.of("/a");
  private static final EntryName N = EntryName.of("n");
  private static final EndpointReference REFERENCE = EndpointReference.ofAddress("urn:a");

  /** A kind of request by the number of its items. */
  record Batch(String name, IntFunction<List<?>> made) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Batch> batches() {
    return Stream.of(
        new Batch("add", n -> new AddRequest(Collections.nCopies(n, NewEntry.directory(A)), false, false).entries()),
        new Batch("update", n -> new UpdateRequest(Collections.nCopies(n, EntryChange.rename(A, N)), false).changes()),
        new Batch("remove", n -> new RemoveRequest(Collections.nCopies(n, Removal.of(A)), false).removals()),
        new Batch("query", n -> new QueryRequest(Collections.nCopies(n, A), false).targets()));
  }

  @ParameterizedTest
  @MethodSource("batches")
  void batchesAreBounded(Batch batch) {
    for (int size : new int[]{1, Limits.BATCH_ITEMS - 1, Limits.BATCH_ITEMS}) {
      assertThat(batch.made().apply(size)).hasSize(size);
    }
    Refused.with(RnsError.INVALID_REQUEST, () -> batch.made().apply(0), batch + ": the batch is empty");
    Refused.with(RnsError.LIMIT_EXCEEDED, () -> batch.made().apply(Limits.BATCH_ITEMS + 1), batch + ": ", "10001 items",
        "limit is 10000");
  }

  /** Values with endpoint references, by their number. */
  static Stream<Batch> carriersOfReferences() {
    Binding place = new Binding(EntryId.ROOT, N);
    return Stream.of(
        new Batch("add", n -> new NewEntry(A, references(n), Metadata.NONE, Precondition.NONE).references()),
        new Batch("update", n -> EntryChange.references(A, references(n)).references().orElseThrow()),
        new Batch("junction",
            n -> new Junction(place, EntryId.ROOT, 1, Instant.EPOCH, Instant.EPOCH, Metadata.NONE, references(n))
                .references()));
  }

  private static List<EndpointReference> references(int count) {
    return Collections.nCopies(count, REFERENCE);
  }

  @ParameterizedTest
  @MethodSource("carriersOfReferences")
  void referencesOfAnEntryAreBounded(Batch carrier) {
    for (int size : new int[]{1, Limits.EPRS_PER_ENTRY - 1, Limits.EPRS_PER_ENTRY}) {
      assertThat(carrier.made().apply(size)).hasSize(size);
    }
    Refused.with(RnsError.LIMIT_EXCEEDED, () -> carrier.made().apply(Limits.EPRS_PER_ENTRY + 1),
        "65 endpoint references", "limit is 64");
  }

  @Test
  void aJunctionNeedsAReference() {
    Refused.with(RnsError.INVALID_REQUEST, () -> NewEntry.junction(A), "'/a'", "endpoint reference");
    Refused.with(RnsError.INVALID_REQUEST, () -> EntryChange.references(A, List.of()), "'/a'",
        "at least one endpoint reference");
    Binding place = new Binding(EntryId.ROOT, N);
    Refused.with(
        RnsError.INVALID_REQUEST,
        () -> new Junction(place, EntryId.ROOT, 1, Instant.EPOCH, Instant.EPOCH, Metadata.NONE, List.of()),
        "at least one endpoint reference");
  }

  @Test
  void pagesAreBounded() {
    for (int size : new int[]{1, Limits.PAGE_ENTRIES - 1, Limits.PAGE_ENTRIES}) {
      assertThat(ListRequest.of(A).pagesOf(size).pageSize()).isEqualTo(size);
    }
    Refused.with(RnsError.INVALID_REQUEST, () -> ListRequest.of(A).pagesOf(0), "page size 0");
    Refused.with(RnsError.INVALID_REQUEST, () -> ListRequest.of(A).pagesOf(Integer.MIN_VALUE), "page size -2147483648");
    Refused.with(RnsError.LIMIT_EXCEEDED, () -> ListRequest.of(A).pagesOf(Limits.PAGE_ENTRIES + 1), "10001 entries",
        "limit is 10000");
  }

  @Test
  void preconditionsMustFitTheOperation() {
    assertThat(NewEntry.directory(A).precondition()).isEqualTo(Precondition.IF_ABSENT);
    assertThat(Precondition.ifVersion(1)).isEqualTo(new Precondition.IfVersion(1));
    Refused.with(RnsError.INVALID_REQUEST, () -> Precondition.ifVersion(0), "version 0");
    Refused.with(RnsError.INVALID_REQUEST, () -> Precondition.ifVersion(Long.MIN_VALUE), "version -");
    Refused.with(RnsError.INVALID_REQUEST, () -> EntryChange.rename(A, N).with(Precondition.IF_ABSENT), "'/a'",
        "absent");
    Refused.with(RnsError.INVALID_REQUEST, () -> Removal.of(A).with(Precondition.IF_ABSENT), "'/a'", "absent");
  }

  @Test
  void anAdditionNeedsAName() {
    Refused.with(RnsError.INVALID_REQUEST, () -> NewEntry.directory(Target.ROOT), "'/'");
    Refused.with(RnsError.INVALID_REQUEST, () -> NewEntry.directory(Target.of(new EntryId(255))),
        "'[00000000000000ff]/'");
  }

  @Test
  void anUpdateMustChangeSomething() {
    Optional<List<EndpointReference>> same = Optional.empty();
    Refused.with(
        RnsError.INVALID_REQUEST,
        () -> new EntryChange(A, Optional.empty(), Optional.empty(), same, Optional.empty(), Precondition.NONE),
        "update of '/a' changes nothing");
    assertThat(EntryChange.metadata(A, Metadata.NONE).metadata()).contains(Metadata.NONE);
  }

  @Test
  void aDestinationHasTheFormOfTheRequest() {
    Target deep = Target.of("/a/b");
    EntryId other = new EntryId(7);

    assertThat(EntryChange.rename(deep, N).destination(new Binding(EntryId.ROOT, N))).isEqualTo(Target.of("/a/n"));
    assertThat(EntryChange.move(deep, Target.of("/c"), N).destination(new Binding(other, N)))
        .isEqualTo(Target.of("/c/n"));
    assertThat(EntryChange.rename(Target.of(new EntryId(9)), N).destination(new Binding(other, N)))
        .isEqualTo(Target.of(other).child(N));
    Target tooDeep = Target.of("/d".repeat(Limits.PATH_DEPTH));
    assertThat(EntryChange.move(deep, tooDeep, N).destination(new Binding(other, N)))
        .isEqualTo(Target.of(other).child(N));
  }

  @Test
  void requestsCopyTheirLists() {
    List<EndpointReference> references = new ArrayList<>(List.of(REFERENCE));
    List<Target> targets = new ArrayList<>(List.of(A));
    NewEntry added = new NewEntry(A, references, Metadata.NONE, Precondition.NONE);
    EntryChange changed = EntryChange.references(A, references);
    QueryRequest query = new QueryRequest(targets, false);
    references.clear();
    targets.clear();

    assertThat(added.references()).hasSize(1);
    assertThat(changed.references().orElseThrow()).hasSize(1);
    assertThat(query.targets()).hasSize(1);
  }

  @Test
  void copiesKeepAllOtherComponents() {
    Precondition five = Precondition.ifVersion(5);
    Metadata metadata = Metadata.parse("<m/>");

    assertThat(NewEntry.junction(A, REFERENCE).with(metadata).with(five))
        .isEqualTo(new NewEntry(A, List.of(REFERENCE), metadata, five));
    assertThat(AddRequest.of(NewEntry.directory(A)).withParents())
        .isEqualTo(new AddRequest(List.of(NewEntry.directory(A)), true, false));
    assertThat(EntryChange.rename(A, N).with(five).name()).contains(N);
    assertThat(Removal.recursive(A).with(five)).isEqualTo(new Removal(A, true, five));
    assertThat(QueryRequest.of(A).withCounts()).isEqualTo(new QueryRequest(List.of(A), true));
    Cursor cursor = new Cursor(EntryId.ROOT, N);
    NamePattern pattern = NamePattern.glob("n*");
    assertThat(ListRequest.of(A).from(cursor).matching(pattern).pagesOf(9))
        .isEqualTo(new ListRequest(A, 9, Optional.of(cursor), Optional.of(pattern)))
        .isEqualTo(ListRequest.of(A).pagesOf(9).matching(pattern).from(cursor));
  }

  @Test
  void sizesAreThoseOfTheBatches() {
    List<WriteRequest> three =
        List.of(
            AddRequest.of(NewEntry.directory(A), NewEntry.directory(A), NewEntry.directory(A)),
            UpdateRequest.of(EntryChange.rename(A, N), EntryChange.rename(A, N), EntryChange.rename(A, N)),
            RemoveRequest.of(Removal.of(A), Removal.of(A), Removal.of(A)));
    assertThat(three).extracting(WriteRequest::size).containsOnly(3);
    assertThat(NewEntry.directory(A).isDirectory()).isTrue();
    assertThat(NewEntry.junction(A, REFERENCE).isDirectory()).isFalse();
  }

  @Test
  void theRootHasNoBinding() {
    Entry root = new VirtualDirectory(null, EntryId.ROOT, 1, Instant.EPOCH, Instant.EPOCH, Metadata.NONE, -1);
    Entry entry = new VirtualDirectory(new Binding(EntryId.ROOT, N), new EntryId(2), 1, Instant.EPOCH, Instant.EPOCH,
        Metadata.NONE, -1);

    Refused.with(RnsError.ROOT_IS_FIXED, root::binding, "root");
    assertThat(root.isRoot()).isTrue();
    assertThat(root.displayName()).isEqualTo("/");
    assertThat(entry.isRoot()).isFalse();
    assertThat(entry.displayName()).isEqualTo("n");
  }
}
