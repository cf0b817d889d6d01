package io.rns.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.replication.DatabaseReport;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class StatusServletTest {
  private static Map<String, Object> told(boolean writable, OptionalInt acknowledging) {
    return StatusServlet.told(
        new DatabaseReport("h:3306", writable, Optional.empty(), false, false, "", acknowledging, Optional.empty()));
  }

  @Test
  void thatNoReplicaAcknowledgesDiffersFromThatNoneHasTo() {
    assertThat(told(true, OptionalInt.of(0))).containsEntry("acknowledging", 0).containsEntry("durability", "replicated");
    assertThat(told(true, OptionalInt.empty())).containsEntry("acknowledging", null).containsEntry("durability", "local");
    assertThat(told(false, OptionalInt.empty())).containsEntry("acknowledging", null).containsEntry("durability", null);
  }
}
