package io.rns.loadtest.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CalendarTest {
  private final Calendar calendar = new Calendar();
  private final List<String> happened = new ArrayList<>();

  @Test
  void eventsHappenInTheirOrderAndThoseOfOneMomentInTheOrderOfTheirEntry() {
    calendar.at(2, () -> happened.add("c at " + calendar.now()));
    calendar.at(1, () -> happened.add("a at " + calendar.now()));
    calendar.at(2, () -> happened.add("d at " + calendar.now()));
    calendar.at(1, () -> calendar.after(0.5, () -> happened.add("b at " + calendar.now())));
    calendar.at(3, () -> happened.add("not before its time"));
    calendar.runUntil(3);
    assertThat(happened).containsExactly("a at 1.0", "b at 1.5", "c at 2.0", "d at 2.0");
    assertThat(calendar.now()).isEqualTo(3);
    assertThat(calendar.millis()).isEqualTo(3_000);
  }

  @Test
  void withoutDelayItHappensAtOnce() {
    calendar.after(0, () -> happened.add("now"));
    assertThat(happened).containsExactly("now");
  }

  @Test
  void thePastIsOver() {
    calendar.runUntil(1);
    assertThatThrownBy(() -> calendar.at(0.5, () -> {})).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0.5");
    assertThatThrownBy(() -> calendar.after(Double.NaN, () -> {})).isInstanceOf(IllegalArgumentException.class);
  }
}
