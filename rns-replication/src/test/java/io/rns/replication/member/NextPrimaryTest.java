package io.rns.replication.member;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class NextPrimaryTest {
  private long now = 7;
  private final NextPrimary next = new NextPrimary(() -> now);

  @Test
  void noneIsAnnouncedAtFirst() {
    assertThat(next.url()).isEmpty();
  }

  @Test
  void anAnnouncedOneIsExpectedUntilAPrimaryIsKnown() {
    next.announce(Optional.of("http://b"));
    assertThat(next.url()).contains("http://b");
    next.arrived();
    assertThat(next.url()).isEmpty();
  }

  /** Its server may have crashed. */
  @Test
  void anAnnouncedOneIsNotExpectedForEver() {
    next.announce(Optional.of("http://b"));
    now += NextPrimary.LEADS_WITHIN.toNanos() - 1;
    assertThat(next.url()).contains("http://b");
    now++;
    assertThat(next.url()).isEmpty();
  }
}
