package io.rns.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemberListTest {
  private static MemberList of(int count) {
    return MemberList.NONE.next(1, IntStream.range(0, count).mapToObj(i -> "http://s" + i).toList(), 5, 1);
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

  /** Also by a list with a member more or less. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9})
  void aChangeOfPrimaryMeetsAsManyMembersAsHaveAWrite(int count) {
    for (int most = 1; most <= 4; most++) {
      int acknowledgements = MemberList.acknowledgements(count, most);
      int changes = count - acknowledgements;
      assertThat(acknowledgements).isBetween(1, most);
      assertThat(1 + acknowledgements + changes).isGreaterThan(count);
      if (count > 2) {
        assertThat(2 * changes).as("two changes without a primary meet").isGreaterThan(count);
      }
      assertThat(MemberList.acknowledgements(count + 1, most)).isBetween(acknowledgements, acknowledgements + 1);
    }
    assertThat(MemberList.acknowledgements(count, 2)).isEqualTo(count < 5 ? 1 : 2);
  }

  /** A member may have been removed, by a list that nobody else has acknowledged. */
  @Test
  void anEpochBeginsAsTheListBeforeMayHaveAskedFor() {
    assertThat(of(4).acknowledgements()).isEqualTo(1);
    assertThat(of(4).acknowledgementsToBegin(0, 2)).isEqualTo(2);
    assertThat(of(4).acknowledgementsToBegin(0, 1)).isEqualTo(1);
    assertThat(of(3).acknowledgementsToBegin(0, 2)).isEqualTo(1);
    assertThat(of(3).acknowledgementsToBegin(5, 2)).isEqualTo(2);
  }

  @Test
  void aListOfALaterEpochIsLaterHoweverOftenAnotherWasChanged() {
    MemberList often = of(3).next(1, List.of("http://s0"), 6, 1).next(1, List.of("http://s1"), 7, 1);
    MemberList later = of(3).next(2, of(3).urls(), 8, 1);
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

  /** Five members wait for two; a list of an earlier version said one, and so would its next one have been begun. */
  @Test
  void anEpochThatBeginsWithAListOfAnEarlierVersionWaitsForAsManyAsItsNewListAsksFor() {
    assertThat(of(5).acknowledgementsAgain(2)).isEqualTo(2);
    assertThat(of(4).acknowledgementsAgain(2)).isEqualTo(1);
  }
}
