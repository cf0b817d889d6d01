package io.rns.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.ListRequest;
import io.rns.api.QueryRequest;
import io.rns.api.RemoveRequest;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import org.junit.jupiter.api.Test;

class SubjectTest {
  private static final Target BY_ID = new Target(new EntryId(7), RnsPath.parse("/a/b"));

  private static String path(Subject subject) {
    assertThat(subject.place().get().group()).isEmpty();
    return subject.place().get().directory().toString();
  }

  private static String query(Target... targets) {
    return path(Subject.of(QueryRequest.of(targets)));
  }

  @Test
  void isTheNarrowestDirectoryWhoseContentAllIsIn() {
    assertThat(query(Target.ROOT)).isEqualTo("/");
    assertThat(query(Target.of("/a/b"))).as("an entry of /a, also if it is a directory").isEqualTo("/a");
    assertThat(query(Target.of("/a/b"), Target.of("/a/b/c"))).isEqualTo("/a");
    assertThat(query(Target.of("/a/b/c"), Target.of("/a/b/d"))).isEqualTo("/a/b");
    assertThat(query(Target.of("/a/b"), Target.of("/a/bc"), Target.of("/a/x/y"))).isEqualTo("/a");
    assertThat(query(Target.of("/a/b"), Target.of("/c"))).isEqualTo("/");
    assertThat(query(Target.of("/a/b"), BY_ID)).isEqualTo("/");
  }

  @Test
  void whatIsNamedByIdIsAtTheGroupThatMadeTheId() {
    Target ofThree = Target.of(new EntryId((3L << 48) + 9));
    assertThat(Subject.of(QueryRequest.of(BY_ID)).place().get().group()).hasValue(0);
    assertThat(Subject.of(ListRequest.of(ofThree)).place().get().group()).hasValue(3);
    assertThat(Subject.of(QueryRequest.of(ofThree, ofThree)).place().get().group()).hasValue(3);
    assertThat(query(ofThree, BY_ID)).as("no group in particular").isEqualTo("/");
  }

  @Test
  void everyOperationTellsItsPathsAndWhetherItWrites() {
    Subject list = Subject.of(ListRequest.of(Target.of("/a/b")));
    assertThat(path(list)).as("its content").isEqualTo("/a/b");
    assertThat(list.write()).isFalse();
    assertThat(Subject.of(QueryRequest.of(Target.ROOT)).write()).isFalse();
    Subject add =
        Subject.of(AddRequest.of(NewEntry.directory(Target.of("/a/b")), NewEntry.directory(Target.of("/a/c"))));
    assertThat(path(add)).isEqualTo("/a");
    assertThat(add.write()).isTrue();
    Subject remove = Subject.of(RemoveRequest.of(Removal.of(Target.of("/a/b"))));
    assertThat(path(remove)).isEqualTo("/a");
    assertThat(remove.write()).isTrue();
    EntryName name = EntryName.of("n");
    Subject rename = Subject.of(UpdateRequest.of(EntryChange.rename(Target.of("/a/b"), name)));
    assertThat(path(rename)).isEqualTo("/a");
    assertThat(rename.write()).isTrue();
    assertThat(path(Subject.of(UpdateRequest.of(EntryChange.move(Target.of("/a/b"), Target.of("/a/d"), name)))))
        .isEqualTo("/a");
  }
}
