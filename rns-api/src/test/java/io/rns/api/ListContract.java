package io.rns.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.rns.api.AddRequest.NewEntry;
import io.rns.api.RemoveRequest.Removal;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The contract of {@link NameService#list}. */
interface ListContract {
  /** The service to test. */
  NameService service();

  @Test
  default void listedEntriesEqualQueriedEntries() {
    Sandbox s = Sandbox.in(service());
    Entry directory = s.directory("/d");
    Entry junction = s.junction("/j", "urn:1", "urn:2");
    s.junction("/d/below");

    List<Page> pages = s.pages(ListRequest.of(s.at()));

    assertThat(Sandbox.entries(pages)).containsExactly(directory, junction);
    assertThat(pages).allSatisfy(page -> assertThat(page.directory().id()).isEqualTo(s.directory().id()));
    assertThat(pages.get(0).directory().binding()).isEqualTo(s.directory().binding());
  }

  @Test
  default void anEmptyDirectoryHasAnEmptyListing() {
    Sandbox s = Sandbox.in(service());

    assertThat(s.children(s.at())).isEmpty();
  }

  @Test
  default void namesAreListedInByteOrder() {
    Sandbox s = Sandbox.in(service());
    List<String> ordered =
        List.of(" ", "!", "-", "A", "B", "a", "a ", "a!", "aa", "b", "~", "\u00a0", "\u00e9", "\u07ff", "\u0800",
            "\u4e2d",
            "\ud7ff", "\ue000", "\ufffd", "\ud800\udc00", "\ud83d\ude00", "\udbff\udfff");
    List<String> shuffled = new ArrayList<>(ordered);
    java.util.Collections.shuffle(shuffled, new java.util.Random(7));
    shuffled.forEach(name -> s.junction("/" + name, "urn:x"));

    assertThat(s.names(s.at())).isEqualTo(ordered);
    assertThat(s.names(ListRequest.of(s.at()).pagesOf(1))).isEqualTo(ordered);
    assertThat(s.names(ListRequest.of(s.at()).pagesOf(5))).isEqualTo(ordered);
  }

  @Test
  default void pagesRespectTheSizeAndCoverAllEntriesOnce() {
    Sandbox s = Sandbox.in(service());
    List<NewEntry> entries = new ArrayList<>();
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      expected.add("n" + (100 + i));
      entries.add(NewEntry.directory(s.at("/" + expected.get(i))));
    }
    service().add(CallContext.ANONYMOUS, new AddRequest(entries, false, false));

    for (int size : new int[]{1, 7, 50, 99, 100, 101, 10_000}) {
      List<Page> pages = s.pages(ListRequest.of(s.at()).pagesOf(size));
      assertThat(Sandbox.entries(pages)).extracting(Entry::displayName).as("pages of %d", size).isEqualTo(expected);
      assertThat(pages).allSatisfy(page -> assertThat(page.entries()).hasSizeLessThanOrEqualTo(size));
    }
  }

  @Test
  default void aCursorSurvivesTheRemovalOfItsName() {
    Sandbox s = Sandbox.in(service());
    List.of("a", "b", "c", "d").forEach(name -> s.junction("/" + name));
    Cursor afterB = new Cursor(s.directory().id(), EntryName.of("b"));
    s.remove(Removal.of(s.at("/b"))).orThrow();
    s.junction("/bb");
    s.junction("/aa");

    assertThat(s.names(ListRequest.of(s.at()).from(afterB))).containsExactly("bb", "c", "d");
    assertThat(s.names(ListRequest.of(s.at()).from(new Cursor(s.directory().id(), EntryName.of("zz"))))).isEmpty();
  }

  @Test
  default void aCursorSurvivesItsTextForm() {
    Sandbox s = Sandbox.in(service());
    s.junction("/\u00e4 &<\">");
    s.junction("/\ud83d\ude00");

    Page first =
        service().list(CallContext.ANONYMOUS, ListRequest.of(s.at()).pagesOf(1)).value().orThrow();

    Cursor next = Cursor.parse(first.next().orElseThrow().toString());
    assertThat(s.names(ListRequest.of(s.at()).from(next))).containsExactly("\ud83d\ude00");
  }

  @Test
  default void theCursorOfAnotherDirectoryIsRefused() {
    Sandbox s = Sandbox.in(service());
    EntryId other = s.directory("/other").id();
    ListRequest request = ListRequest.of(s.at()).from(new Cursor(other, EntryName.of("a")));

    assertThatThrownBy(() -> service().list(CallContext.ANONYMOUS, request))
        .asInstanceOf(type(RnsException.class))
        .extracting(RnsException::error)
        .isEqualTo(RnsError.INVALID_CURSOR);
  }

  @Test
  default void aCursorFollowsAMovedDirectory() {
    Sandbox s = Sandbox.in(service());
    EntryId directory = s.directory("/d").id();
    s.junction("/d/a");
    s.junction("/d/b");
    s.update(UpdateRequest.EntryChange.rename(s.at("/d"), EntryName.of("e"))).orThrow();

    ListRequest request = ListRequest.of(s.at("/e")).from(new Cursor(directory, EntryName.of("a")));

    assertThat(s.names(request)).containsExactly("b");
  }

  @Test
  default void onlyMatchingNamesAreListed() {
    Sandbox s = Sandbox.in(service());
    List.of("Alpha", "a", "alpha", "alphabet", "beta", "\u00e4lpha", "a*c", "\ud83d\ude00")
        .forEach(n -> s.junction("/" + n, "urn:x"));

    assertThat(matching(s, NamePattern.glob("alpha*"))).containsExactly("alpha", "alphabet");
    assertThat(matching(s, NamePattern.glob("*lpha"))).containsExactly("Alpha", "alpha", "\u00e4lpha");
    assertThat(matching(s, NamePattern.glob("a"))).containsExactly("a");
    assertThat(matching(s, NamePattern.glob("a\\*c"))).containsExactly("a*c");
    assertThat(matching(s, NamePattern.glob("?"))).containsExactly("a", "\ud83d\ude00");
    assertThat(matching(s, NamePattern.glob("x*"))).isEmpty();
    assertThat(matching(s, NamePattern.regex("[ab].*a"))).containsExactly("alpha", "beta");
    assertThat(matching(s, NamePattern.regex("ALPHA"))).isEmpty();
    assertThat(matching(s, NamePattern.regex("lph"))).isEmpty();
  }

  private static List<String> matching(Sandbox s, NamePattern pattern) {
    List<String> names = s.names(ListRequest.of(s.at()).matching(pattern));
    assertThat(s.names(ListRequest.of(s.at()).matching(pattern).pagesOf(1))).isEqualTo(names);
    return names;
  }

  @Test
  default void onlyDirectoriesCanBeListed() {
    Sandbox s = Sandbox.in(service());
    s.junction("/j");
    EntryId gone = s.remove(Removal.of(Target.of(s.directory("/gone").id()))).orThrow().id();

    assertThat(list(s.at("/j"))).isEqualTo(Outcome.refused(new Refusal.NotDirectory(s.at("/j"), s.depth() + 1)));
    assertThat(list(s.at("/j/k"))).isEqualTo(Outcome.refused(new Refusal.NotDirectory(s.at("/j/k"), s.depth() + 1)));
    assertThat(list(s.at("/x/y"))).isEqualTo(Outcome.refused(new Refusal.NoSuchEntry(s.at("/x/y"), s.depth() + 1)));
    assertThat(list(s.at("/gone"))).isEqualTo(Outcome.refused(new Refusal.NoSuchEntry(s.at("/gone"), s.depth() + 1)));
    assertThat(list(Target.of(gone))).isEqualTo(Outcome.refused(new Refusal.NoSuchEntry(Target.of(gone), 0)));
    Target junction = Target.of(s.get("/j").id());
    assertThat(list(junction)).isEqualTo(Outcome.refused(new Refusal.NotDirectory(junction, 0)));
  }

  private Outcome<Page> list(Target directory) {
    return service().list(CallContext.ANONYMOUS, ListRequest.of(directory)).value();
  }

  @Test
  default void theRootAndADirectoryByItsIdCanBeListed() {
    Sandbox s = Sandbox.in(service());
    s.junction("/j");

    assertThat(s.names(Target.of(s.directory().id()))).containsExactly("j");
    NamePattern own = NamePattern.glob(s.directory().displayName());
    Page page =
        service()
            .list(CallContext.ANONYMOUS, new ListRequest(Target.ROOT, 10, Optional.empty(), Optional.of(own)))
            .value()
            .orThrow();
    assertThat(page.directory().isRoot()).isTrue();
    assertThat(s.names(ListRequest.of(Target.ROOT).matching(own))).containsExactly(s.directory().displayName());
  }
}
