package io.rns.server.watch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WatchPlacesTest {
  @Test
  void noCallerKeepsAllOthersOut() {
    WatchPlaces places = new WatchPlaces(8);
    assertThat(places.enter("a")).isEmpty();
    assertThat(places.enter("a")).isEmpty();
    assertThat(places.enter("a").orElseThrow()).hasMessageContaining("the limit is 2, a quarter of 8");
    assertThat(places.enter("b")).isEmpty();
    places.leave("a");
    assertThat(places.enter("a")).isEmpty();
  }

  @Test
  void allTogetherHaveNoMoreThanThereAre() {
    WatchPlaces places = new WatchPlaces(5);
    for (int i = 0; i < 5; i++) {
      assertThat(places.enter("caller " + i)).isEmpty();
    }
    assertThat(places.enter("one more").orElseThrow()).hasMessageContaining("5 clients watch already; the limit is 5");
    places.leave("caller 3");
    assertThat(places.enter("one more")).isEmpty();
  }

  @Test
  void onePlaceIsForAnybodyAndNoneForNobody() {
    assertThat(new WatchPlaces(1).enter("a")).isEmpty();
    assertThat(new WatchPlaces(0).enter("a")).isPresent();
  }
}
