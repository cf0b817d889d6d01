package io.rns.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.AddRequest.NewEntry;
import io.rns.api.Entry.Binding;
import io.rns.api.Entry.Junction;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The contract of {@link NameService#add} for single entries. */
interface AddContract {
  /** The service to test. */
  NameService service();

  @Test
  default void addedDirectoryIsReturnedAsStored() {
    Sandbox s = Sandbox.in(service());
    Metadata metadata = Metadata.of(Map.of("owner", "Zoë"));

    Entry added = s.add(NewEntry.directory(s.at("/d")).with(metadata)).orThrow();

    assertThat(added).isInstanceOf(VirtualDirectory.class).isEqualTo(s.get("/d"));
    assertThat(added.binding()).isEqualTo(new Binding(s.directory().id(), EntryName.of("d")));
    assertThat(added.metadata()).isEqualTo(metadata);
    assertThat(((VirtualDirectory) added).entries()).isEqualTo(-1);
    assertThat(added.created()).isEqualTo(added.modified()).isEqualTo(added.created().truncatedTo(ChronoUnit.MICROS));
  }

  @Test
  default void addedJunctionPreservesReferencesInOrder() {
    Sandbox s = Sandbox.in(service());
    EndpointReference foreign =
        EndpointReference.parse(
            "<e xmlns:w='http://www.w3.org/2005/08/addressing' xmlns:f='urn:f' f:a='1&#10;2'><w:Address>urn:x</w:Address>"
                + "<w:ReferenceParameters> mixed <f:x f:type='f:y'><!-- c --><?p i?>ü]]&gt;</f:x>\n</w:ReferenceParameters></e>");
    EndpointReference plain = Sandbox.reference("http://example.org/?a=1&b=2");

    Entry added = s.add(NewEntry.junction(s.at("/j"), plain, foreign, plain)).orThrow();

    assertThat(((Junction) added).references()).containsExactly(plain, foreign, plain);
    assertThat(added).isEqualTo(s.get("/j"));
    assertThat(((Junction) s.get("/j")).references().get(1).xml()).isEqualTo(foreign.xml());
  }

  @Test
  default void everyEntryHasAUniqueId() {
    Sandbox s = Sandbox.in(service());

    assertThat(List.of(s.directory("/a").id(), s.junction("/b").id(), s.directory("/a/a").id(), s.directory().id()))
        .doesNotHaveDuplicates()
        .doesNotContain(EntryId.ROOT);
  }

  @Test
  default void namesArePreservedAndComparedByBytes() {
    Sandbox s = Sandbox.in(service());
    String composed = "\u00e9";
    String decomposed = "e\u0301";
    List<String> different =
        List.of("a", "A", "a ", " a", "a.", "ss", "\u00df", "\u1e9e", composed, decomposed, "\ud83d\ude00", "\u3000",
            "%", "_");

    different.forEach(name -> s.junction("/" + name, "urn:for:" + name.codePointAt(0)));

    assertThat(s.names(s.at())).containsExactlyInAnyOrderElementsOf(different);
    different.forEach(name -> assertThat(s.get("/" + name).displayName()).isEqualTo(name));
  }

  @Test
  default void aNameOfMaximumLengthIsAccepted() {
    Sandbox s = Sandbox.in(service());
    String ascii = "n".repeat(Limits.NAME_BYTES);
    String wide = "\ud83d\ude00".repeat(Limits.NAME_BYTES / 4);

    s.junction("/" + ascii, "urn:a");
    s.directory("/" + wide);
    s.directory("/" + wide + "/" + ascii);

    assertThat(s.names(s.at())).containsExactly(ascii, wide);
    assertThat(s.get("/" + wide + "/" + ascii).displayName()).isEqualTo(ascii);
  }

  @Test
  default void aTakenNameIsRefusedAndKeepsItsEntry() {
    Sandbox s = Sandbox.in(service());
    Entry junction = s.junction("/a");
    Entry directory = s.directory("/d");

    assertThat(s.add(NewEntry.junction(s.at("/a"), Sandbox.reference("urn:other"))))
        .isEqualTo(Outcome.refused(new Refusal.EntryExists(s.at("/a"), s.at("/a"))));
    assertThat(s.addWithParents(NewEntry.directory(s.at("/a"))))
        .isEqualTo(Outcome.refused(new Refusal.EntryExists(s.at("/a"), s.at("/a"))));
    assertThat(s.add(NewEntry.junction(s.at("/d"), Sandbox.reference("urn:other"))))
        .isEqualTo(Outcome.refused(new Refusal.EntryExists(s.at("/d"), s.at("/d"))));
    assertThat(s.get("/a")).isEqualTo(junction);
    assertThat(s.get("/d")).isEqualTo(directory);
  }

  @Test
  default void aMissingDirectoryIsReportedByItsIndexInThePath() {
    Sandbox s = Sandbox.in(service());
    s.directory("/a");

    assertThat(s.add(NewEntry.directory(s.at("/x/y/z"))))
        .isEqualTo(Outcome.refused(new Refusal.NoSuchEntry(s.at("/x/y/z"), s.depth() + 1)));
    assertThat(s.add(NewEntry.directory(s.at("/a/y/z"))))
        .isEqualTo(Outcome.refused(new Refusal.NoSuchEntry(s.at("/a/y/z"), s.depth() + 2)));
    assertThat(s.names(s.at("/a"))).isEmpty();
  }

  @Test
  default void onlyMissingDirectoriesAreCreatedOnDemand() {
    Sandbox s = Sandbox.in(service());
    Entry a = s.directory("/a");

    Entry junction = s.addWithParents(NewEntry.junction(s.at("/a/b/c/j"), Sandbox.reference("urn:j"))).orThrow();

    assertThat(s.get("/a")).isEqualTo(a);
    assertThat(s.get("/a/b")).isInstanceOf(VirtualDirectory.class);
    assertThat(s.get("/a/b").metadata().isEmpty()).isTrue();
    assertThat(junction.binding().parent()).isEqualTo(s.get("/a/b/c").id());
    assertThat(List.of(s.get("/a/b").version(), s.get("/a/b/c").version(), junction.version()))
        .as("each created directory is a separate change")
        .containsExactly(junction.version() - 2, junction.version() - 1, junction.version());
  }

  @Test
  default void aJunctionWithinThePathIsNotADirectory() {
    Sandbox s = Sandbox.in(service());
    s.directory("/d");
    s.junction("/d/j");

    Outcome<Entry> direct = s.add(NewEntry.directory(s.at("/d/j/x")));
    Outcome<Entry> withParents = s.addWithParents(NewEntry.directory(s.at("/d/j/x/y/z")));

    assertThat(direct).isEqualTo(Outcome.refused(new Refusal.NotDirectory(s.at("/d/j/x"), s.depth() + 2)));
    assertThat(withParents).isEqualTo(Outcome.refused(new Refusal.NotDirectory(s.at("/d/j/x/y/z"), s.depth() + 2)));
  }

  @Test
  default void withoutPreconditionReferencesAndMetadataAreReplaced() {
    Sandbox s = Sandbox.in(service());
    Entry old =
        s.add(NewEntry.junction(s.at("/j"), Sandbox.reference("urn:1")).with(Metadata.of(Map.of("a", "1")))).orThrow();
    Metadata metadata = Metadata.of(Map.of("b", "2"));

    NewEntry replacement = NewEntry.junction(s.at("/j"), Sandbox.reference("urn:2"), Sandbox.reference("urn:3"));
    Junction replaced = (Junction) s.add(replacement.with(metadata).with(Precondition.NONE)).orThrow();

    assertThat(replaced).isEqualTo(s.get("/j"));
    assertThat(replaced.references()).extracting(EndpointReference::address).containsExactly("urn:2", "urn:3");
    assertThat(replaced.metadata()).isEqualTo(metadata);
    assertThat(replaced.id()).isEqualTo(old.id());
    assertThat(replaced.created()).isEqualTo(old.created());
    assertThat(replaced.modified()).isAfterOrEqualTo(old.modified());
    assertThat(replaced.version()).isGreaterThan(old.version());
  }

  @Test
  default void aReplacedDirectoryKeepsItsContent() {
    Sandbox s = Sandbox.in(service());
    Entry old = s.directory("/d");
    Entry content = s.junction("/d/j");
    Metadata metadata = Metadata.of(Map.of("k", "v"));

    Entry replaced = s.add(NewEntry.directory(s.at("/d")).with(metadata).with(Precondition.NONE)).orThrow();

    assertThat(replaced.id()).isEqualTo(old.id());
    assertThat(s.get("/d").metadata()).isEqualTo(metadata);
    assertThat(s.children(s.at("/d"))).containsExactly(content);
  }

  @Test
  default void oneKindDoesNotReplaceTheOther() {
    Sandbox s = Sandbox.in(service());
    Entry junction = s.junction("/j");
    Entry directory = s.directory("/d");

    assertThat(s.add(NewEntry.directory(s.at("/j")).with(Precondition.NONE)))
        .isEqualTo(Outcome.refused(new Refusal.NotDirectory(s.at("/j"), s.depth() + 1)));
    assertThat(s.add(NewEntry.junction(s.at("/d"), Sandbox.reference("urn:x")).with(Precondition.NONE)))
        .isEqualTo(Outcome.refused(new Refusal.IsDirectory(s.at("/d"))));
    assertThat(s.add(NewEntry.directory(s.at("/j")).with(Precondition.ifVersion(junction.version()))))
        .isEqualTo(Outcome.refused(new Refusal.NotDirectory(s.at("/j"), s.depth() + 1)));
    assertThat(s.children(s.at())).containsExactly(directory, junction);
  }

  @Test
  default void replacingAVersionRequiresThatVersion() {
    Sandbox s = Sandbox.in(service());
    Entry first = s.junction("/j", "urn:1");
    NewEntry change = NewEntry.junction(s.at("/j"), Sandbox.reference("urn:2"));

    Entry second = s.add(change.with(Precondition.ifVersion(first.version()))).orThrow();
    Outcome<Entry> stale = s.add(change.with(Precondition.ifVersion(first.version())));

    assertThat(stale)
        .isEqualTo(Outcome.refused(new Refusal.VersionMismatch(s.at("/j"), first.version(), second.version())));
    assertThat(s.get("/j")).isEqualTo(second);
  }

  @Test
  default void aVersionOfAMissingEntryIsAMismatchAndCreatesNoParents() {
    Sandbox s = Sandbox.in(service());
    NewEntry entry = NewEntry.directory(s.at("/x")).with(Precondition.ifVersion(7));
    NewEntry deep = NewEntry.directory(s.at("/p/q/x")).with(Precondition.ifVersion(7));

    assertThat(s.add(entry)).isEqualTo(Outcome.refused(new Refusal.VersionMismatch(s.at("/x"), 7, 0)));
    assertThat(s.addWithParents(deep)).isEqualTo(Outcome.refused(new Refusal.VersionMismatch(s.at("/p/q/x"), 7, 0)));
    assertThat(s.add(deep)).isEqualTo(Outcome.refused(new Refusal.NoSuchEntry(s.at("/p/q/x"), s.depth() + 1)));
    assertThat(s.names(s.at())).isEmpty();
  }

  @Test
  default void thePathMayStartAtAnyDirectory() {
    Sandbox s = Sandbox.in(service());
    EntryId a = s.directory("/a").id();
    EntryId junction = s.junction("/j").id();
    EntryId gone =
        s.remove(RemoveRequest.Removal.of(new Target(s.directory("/gone").id(), RnsPath.ROOT))).orThrow().id();

    Entry added = s.addWithParents(NewEntry.directory(new Target(a, RnsPath.parse("/b/c")))).orThrow();

    assertThat(s.get("/a/b/c")).isEqualTo(added);
    Target belowJunction = new Target(junction, RnsPath.parse("/x"));
    assertThat(s.add(NewEntry.directory(belowJunction)))
        .isEqualTo(Outcome.refused(new Refusal.NotDirectory(belowJunction, 0)));
    Target belowNothing = new Target(gone, RnsPath.parse("/x"));
    assertThat(s.addWithParents(NewEntry.directory(belowNothing)))
        .isEqualTo(Outcome.refused(new Refusal.NoSuchEntry(belowNothing, 0)));
  }

  @Test
  default void anAdditionDoesNotChangeTheDirectory() {
    Sandbox s = Sandbox.in(service());
    Entry directory = s.directory("/d");

    s.junction("/d/j");

    assertThat(s.get("/d")).isEqualTo(directory);
  }

  @Test
  default void aPathOfMaximumDepthIsAccepted() {
    Sandbox s = Sandbox.in(service());
    String path = "/d".repeat(Limits.PATH_DEPTH - s.depth());

    Entry deepest = s.addWithParents(NewEntry.directory(s.at(path))).orThrow();

    assertThat(s.get(path)).isEqualTo(deepest);
  }

  @Test
  default void referencesOfMaximumNumberAndSizeAreAccepted() {
    Sandbox s = Sandbox.in(service());
    List<EndpointReference> many =
        IntStream.range(0, Limits.EPRS_PER_ENTRY).mapToObj(i -> Sandbox.reference("urn:r:" + i)).toList();
    EndpointReference large = ofSize(Limits.EPR_BYTES);
    Metadata metadata =
        Metadata.of(Map.of("k", "v".repeat(Limits.METADATA_BYTES - "<rnskv key=\"k\"></rnskv>".length())));

    s.add(new NewEntry(s.at("/many"), many, Metadata.NONE, Precondition.IF_ABSENT)).orThrow();
    s.add(NewEntry.junction(s.at("/large"), large).with(metadata)).orThrow();

    assertThat(((Junction) s.get("/many")).references()).isEqualTo(many);
    assertThat(((Junction) s.get("/large")).references()).containsExactly(large);
    assertThat(s.get("/large").metadata()).isEqualTo(metadata);
  }

  @Test
  default void anEntryAboveTheTotalSizeLimitIsRefused() {
    Sandbox s = Sandbox.in(service());
    int fitting = Limits.ENTRY_BYTES / Limits.EPR_BYTES;
    List<EndpointReference> references =
        IntStream.range(0, fitting).mapToObj(i -> ofSize(Limits.EPR_BYTES)).collect(Collectors.toList());
    s.add(new NewEntry(s.at("/j"), references, Metadata.NONE, Precondition.IF_ABSENT)).orThrow();
    references.add(Sandbox.reference("urn:x"));

    Refusal refusal =
        Sandbox.refusal(s.add(new NewEntry(s.at("/k"), references, Metadata.NONE, Precondition.IF_ABSENT)));

    assertThat(refusal.error()).isEqualTo(RnsError.LIMIT_EXCEEDED);
    assertThat(refusal.message()).contains(String.valueOf(Limits.ENTRY_BYTES)).contains("/k");
    assertThat(s.exists("/k")).isFalse();
  }

  @Test
  default void anEntryIsMeasuredInBytesNotInCharacters() {
    Sandbox s = Sandbox.in(service());
    int characters = Limits.EPR_BYTES / 4;
    List<EndpointReference> references =
        Collections.nCopies(Limits.ENTRY_BYTES / (2 * characters) + 1, Sandbox.reference("\u00e9".repeat(characters)));

    Refusal refusal =
        Sandbox.refusal(s.add(new NewEntry(s.at("/k"), references, Metadata.NONE, Precondition.IF_ABSENT)));

    assertThat(refusal.error()).isEqualTo(RnsError.LIMIT_EXCEEDED);
    assertThat(s.exists("/k")).isFalse();
  }

  private static EndpointReference ofSize(int bytes) {
    int overhead = Sandbox.reference("u").content().length() - 1;
    return Sandbox.reference("u".repeat(bytes - overhead));
  }
}
