package io.rns.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemberListTest {
  private static MemberList of(int count) {
    return MemberList.NONE.next(1, IntStream.range(0, count).mapToObj(i -> "http://s" + i).toList(), 5);
  }

  /** Whether a change of primary that misses at most one of these members meets one that has a commit. */
  private static void assertMet(List<String> committed, List<String> members) {
    for (String missing : members) {
      assertThat(committed).as("without %s of %s", missing, members)
          .anyMatch(has -> members.contains(has) && !has.equals(missing));
    }
  }

  /**
   * A commit is at the primary and another member. Whoever still counts by the list before learns of the new one, since
   * a member that acknowledged it was a member before, and is one afterwards.
   */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 5, 6, 7})
  void aChangeOfPrimaryByEitherListMeetsEachCommitThatChangesTheMembers(int count) {
    MemberList before = of(count);
    String primary = "http://s0";
    for (String acknowledging : before.without(primary)) {
      List<String> committed = List.of(primary, acknowledging);
      assertMet(committed, before.urls());
      assertMet(committed, before.with("http://new"));
      for (String forgotten : before.without(primary)) {
        if (!forgotten.equals(acknowledging)) {
          assertMet(committed, before.without(forgotten));
        }
      }
    }
  }

  /** Of the members before, a change of primary by the list after misses one at most, and the other way round. */
  @ParameterizedTest
  @ValueSource(ints = {3, 4, 5, 6, 7})
  void aWriteIsMetByAChangeOfPrimaryOfItsList(int count) {
    MemberList list = of(count);
    for (String one : list.urls()) {
      for (String other : list.without(one)) {
        assertMet(List.of(one, other), list.urls());
      }
    }
  }

  @Test
  void aListOfALaterEpochIsLaterHoweverOftenAnotherWasChanged() {
    MemberList often = of(3).next(1, List.of("http://s0"), 6).next(1, List.of("http://s1"), 7);
    MemberList later = of(3).next(2, of(3).urls(), 8);
    assertThat(later.isLater(often)).isTrue();
    assertThat(often.isLater(later)).isFalse();
    assertThat(often.isLater(of(3))).isTrue();
    assertThat(later.isLater(later)).isFalse();
  }

  @Test
  void withoutAListNobodyIsExcluded() {
    assertThat(MemberList.NONE.excludes("http://s0")).isFalse();
    assertThat(MemberList.NONE.differsFrom(List.of("http://s0"))).isFalse();
    assertThat(of(2).excludes("http://s2")).isTrue();
    assertThat(of(2).differsFrom(List.of("http://s1", "http://s0"))).isFalse();
    assertThat(of(2).differsFrom(List.of("http://s0"))).isTrue();
  }
}
