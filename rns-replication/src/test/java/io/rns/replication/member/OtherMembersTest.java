package io.rns.replication.member;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.replication.GroupMember;
import io.rns.replication.MemberList;
import io.rns.replication.Timing;
import java.net.ConnectException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class OtherMembersTest {
  private final OtherMembers members =
      new OtherMembers("http://a", List.of("http://b"), OtherMembersTest::reach, Timing.system());

  private static GroupMember reach(String url) {
    throw new RnsException(RnsError.UNAVAILABLE, url + " is not reached here");
  }

  private static MemberList list(int epoch, String... urls) {
    return MemberList.NONE.next(epoch, List.of(urls), 1, 1);
  }

  @Test
  void beforeThereIsAListAllServersThatAreKnownCount() {
    members.hear("http://c");
    assertThat(members.members()).containsExactly("http://a", "http://b", "http://c");
    assertThat(members.excludes("http://d")).isFalse();
  }

  @Test
  void aListDecidesHoweverManyServersAreKnown() {
    members.hear("http://c");
    members.learn(list(2, "http://a", "http://d", "http://e"));
    assertThat(members.members()).containsExactly("http://a", "http://d", "http://e");
    assertThat(members.excludes("http://c")).isTrue();
    members.learn(list(1, "http://a"));
    assertThat(members.members()).hasSize(3);
  }

  @Test
  void aListOfAddressesThatNobodyHasAnyMoreDoesNotCount() {
    members.learn(list(2, "http://old-a", "http://old-b"));
    assertThat(members.members()).containsExactly("http://a", "http://b");
    assertThat(members.excludes("http://a")).isFalse();
    members.learn(list(3, "http://a", "http://b"));
    assertThat(members.excludes("http://old-a")).isTrue();
  }

  /** A host that took no packets made each look at the group five times as long. */
  @Test
  void aMemberThatDoesNotAnswerDelaysNoNewsOfOthers() throws InterruptedException {
    CountDownLatch looks = new CountDownLatch(3);
    CountDownLatch ended = new CountDownLatch(1);
    try (OtherMembers others = new OtherMembers("http://a", List.of("http://b", "http://c"), url -> {
      if (url.equals("http://b")) {
        var unused = Timing.system().await(Duration.ofMinutes(1), () -> ended.getCount() == 0);
      } else {
        looks.countDown();
      }
      throw new RnsException(RnsError.UNAVAILABLE, url + " refuses", new ConnectException());
    }, Timing.system())) {
      others.start();
      assertThat(looks.await(20, TimeUnit.SECONDS)).isTrue();
      assertThat(others.refuses("http://c")).isTrue();
      assertThat(others.refuses("http://b")).isFalse();
    } finally {
      ended.countDown();
    }
  }
}
