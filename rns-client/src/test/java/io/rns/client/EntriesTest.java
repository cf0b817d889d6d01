package io.rns.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.EntryName;
import io.rns.api.ModelNameService;
import io.rns.api.NamePattern;
import io.rns.api.NameService;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.error.RnsException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EntriesTest {
  private static final EndpointReference REFERENCE = EndpointReference.ofAddress("urn:x");
  private final NameService service = new ModelNameService();

  private void add(int... numbers) {
    List<NewEntry> entries = new ArrayList<>();
    for (int number : numbers) {
      entries.add(NewEntry.junction(Target.of("/d/" + String.format("%02d", number)), REFERENCE));
    }
    service.add(CallContext.ANONYMOUS, new AddRequest(entries, true, false)).value()
        .forEach(outcome -> outcome.orThrow());
  }

  private static List<String> names(Iterable<Entry> entries) {
    List<String> names = new ArrayList<>();
    entries.forEach(entry -> names.add(entry.displayName()));
    return names;
  }

  @Test
  void aDirectoryIsPagedWhateverThePagesSize() {
    add(IntStream.range(0, 25).toArray());
    Entries all = Entries.of(service, Target.of("/d"));
    for (int size : new int[]{1, 2, 24, 25, 26, 1_000}) {
      assertThat(names(all.pagesOf(size))).hasSize(25).isSorted().startsWith("00").endsWith("24");
    }
  }

  @Test
  void aPatternIsLookedForByTheService() {
    add(IntStream.range(0, 25).toArray());
    Entries some = Entries.of(service, Target.of("/d")).matching(NamePattern.glob("?3")).pagesOf(1);
    assertThat(names(some)).containsExactly("03", "13", "23");
  }

  @Test
  void nothingIsAskedBeforeItIsNeeded() {
    Iterator<Entry> entries = Entries.of(service, Target.of("/d")).pagesOf(2).iterator();
    add(1, 2, 3);
    assertThat(entries.next().displayName()).isEqualTo("01");
    assertThat(entries.next().displayName()).isEqualTo("02");
    add(4);
    assertThat(entries.next().displayName()).isEqualTo("03");
    assertThat(entries.next().displayName()).isEqualTo("04");
    assertThat(entries.hasNext()).isFalse();
    assertThatThrownBy(entries::next).isInstanceOf(NoSuchElementException.class);
  }

  @Test
  void aDirectoryThatMovesIsFollowed() {
    add(1, 2);
    Iterator<Entry> entries = Entries.of(service, Target.of("/d")).pagesOf(1).iterator();
    entries.next();
    service.update(
        CallContext.ANONYMOUS, UpdateRequest.of(EntryChange.rename(Target.of("/d"), EntryName.of("moved"))));
    assertThat(entries.next().displayName()).isEqualTo("02");
  }

  @Test
  void anErrorIsNoEmptyDirectory() {
    Iterator<Entry> missing = Entries.of(service, Target.of("/none")).iterator();
    assertThatThrownBy(missing::hasNext).isInstanceOf(RnsException.class).hasMessage("no such entry: /none");
  }

  @Test
  void anEmptyDirectoryHasNoEntries() {
    assertThat(Entries.of(service, Target.ROOT)).isEmpty();
  }
}
