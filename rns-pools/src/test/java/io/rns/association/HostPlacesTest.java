package io.rns.association;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HostPlacesTest {
  @Test
  void oneHostLeavesPlacesForOthers() {
    HostPlaces places = new HostPlaces(5, 2);
    assertThat(places.enter("a", false)).isTrue();
    assertThat(places.enter("a", false)).isTrue();
    assertThat(places.enter("a", false)).as("its share is taken").isFalse();
    assertThat(places.enter("b", false)).isTrue();
    places.leave("a");
    assertThat(places.enter("a", false)).as("a place was given back").isTrue();
  }

  @Test
  void thisHostMayHaveAll() {
    HostPlaces places = new HostPlaces(3, 1);
    for (int i = 0; i < 3; i++) {
      assertThat(places.enter("127.0.0.1", true)).isTrue();
    }
    assertThat(places.enter("b", false)).as("all are taken").isFalse();
    assertThat(places.enter("127.0.0.1", true)).isFalse();
  }

  @Test
  void limitsSuitTheHeap() {
    AssociationLimits usual = AssociationLimits.ofHeap(1L << 30, false);
    assertThat(usual.elements()).isEqualTo(20_000);
    assertThat(usual.ofHost(Protocol.ASAP)).isEqualTo(5_000);
    assertThat(usual.opening(Protocol.ASAP)).isEqualTo(1_024);
    assertThat(usual.opening(Protocol.ENRP)).as("others find a place").isEqualTo(256);
    assertThat(usual.toHost(Protocol.ASAP)).isEqualTo(5_000);
    assertThat(usual.toHost(Protocol.ENRP)).isEqualTo(1_024);
    assertThat(usual.bytes()).isEqualTo(64L << 20);
    assertThat(AssociationLimits.ofHeap(256L << 20, false).elements()).isEqualTo(8_192);
    assertThat(AssociationLimits.ofHeap(1, false).bytes()).isEqualTo(AssociationLimits.LEAST_BYTES);
  }

  /** With 16 KiB for each of them, of either direction. */
  @Test
  void connectionsWithTlsHaveAnEighthOfTheHeap() {
    for (long heap : new long[]{64L << 20, 256L << 20, 1L << 30, 4L << 30, 64L << 30}) {
      AssociationLimits limits = AssociationLimits.ofHeap(heap, true);
      long places = limits.elements() + limits.controls() + 2L * limits.peers();
      assertThat(places * 16_384).as("with a heap of %s", heap).isLessThanOrEqualTo(heap / 8);
    }
    AssociationLimits usual = AssociationLimits.ofHeap(1L << 30, true);
    assertThat(usual.elements()).isEqualTo(3_584);
    assertThat(usual.controls()).isEqualTo(3_584);
    assertThat(usual.peers()).isEqualTo(512);
    assertThat(AssociationLimits.ofHeap(64L << 30, true).elements()).isEqualTo(20_000);
    assertThat(AssociationLimits.ofHeap(1, true).peers()).isEqualTo(1);
  }
}
