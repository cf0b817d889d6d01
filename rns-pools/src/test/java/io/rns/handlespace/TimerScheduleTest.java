package io.rns.handlespace;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.RandomCases;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Random operations on schedules, with a sorted list as the model. */
class TimerScheduleTest {
  private static final Comparator<PoolMember> ORDER =
      Comparator.<PoolMember>comparingLong(m -> m.scheduledAt).thenComparingLong(m -> m.serial);

  private final TestMembers made = new TestMembers();

  @Test
  void behavesLikeASortedList() {
    RandomCases.check(
        random -> {
          TimerSchedule schedule = new TimerSchedule();
          List<PoolMember> model = new ArrayList<>();
          // Few distinct times, so that many are equal.
          int times = 1 + random.nextInt(50);
          for (int i = 0; i < 300; i++) {
            step(schedule, model, random, times, i);
            schedule.checkInvariants();
            assertThat(schedule.first()).isSameAs(model.stream().min(ORDER).orElse(null));
          }
          model.sort(ORDER);
          for (PoolMember next : model) {
            assertThat(schedule.first()).isSameAs(next);
            schedule.remove(next);
            assertThat(next.isScheduled()).isFalse();
            schedule.checkInvariants();
          }
          assertThat(schedule.first()).isNull();
        });
  }

  private void step(TimerSchedule schedule, List<PoolMember> model, RandomGenerator random, int times, long serial) {
    int what = model.isEmpty() ? 0 : random.nextInt(5);
    if (what < 2) {
      PoolMember member = made.member(1, serial);
      member.scheduledAt = random.nextInt(times);
      schedule.add(member, member.scheduledAt);
      assertThat(member.isScheduled()).isTrue();
      model.add(member);
    } else if (what < 4) {
      PoolMember member = model.get(random.nextInt(model.size()));
      member.scheduledAt = random.nextInt(times);
      schedule.move(member, member.scheduledAt);
    } else {
      schedule.remove(model.remove(random.nextInt(model.size())));
    }
  }
}
