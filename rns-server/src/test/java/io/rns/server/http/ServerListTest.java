package io.rns.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.rns.api.RnsPath;
import io.rns.referral.Referral;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServerListTest {
  private static final Referral ROOT = new Referral(RnsPath.ROOT, 3, 9, List.of());

  @Test
  void partsAreOnlyThereIfTheTreeHasSome() throws JsonProcessingException {
    assertThat(ServerJson.MAPPER.writeValueAsString(ServerList.of(List.of(ROOT))))
        .isEqualTo("{\"prefix\":\"/\",\"epoch\":3,\"ttlMillis\":9,\"servers\":[]}");
    Referral part = new Referral(RnsPath.parse("/a"), 1, 8, List.of());
    assertThat(ServerJson.MAPPER.writeValueAsString(ServerList.of(List.of(ROOT, part))))
        .isEqualTo("{\"prefix\":\"/\",\"epoch\":3,\"ttlMillis\":9,\"servers\":[],"
            + "\"parts\":[{\"prefix\":\"/a\",\"epoch\":1,\"ttlMillis\":8,\"servers\":[]}]}");
  }
}
