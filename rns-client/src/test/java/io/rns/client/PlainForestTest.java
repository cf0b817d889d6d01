package io.rns.client;

import static io.rns.api.CallContext.ANONYMOUS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.RemoveRequest;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.Target;
import io.rns.client.PlainServer.Item;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Trees that lead from one server to another: what is followed, and what a removal leaves alone. */
class PlainForestTest {
  private static final EndpointReference FILE = EndpointReference.ofAddress("http://files.example/1");

  private final PlainServer server = PlainServer.start();
  private final NameService client =
      RnsClient.builder().root(server.root()).dialect(Dialect.RNS_1_1_PLAIN).firstPause(Duration.ofMillis(1)).build();

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  private List<String> names(String path) {
    List<String> names = new ArrayList<>();
    Entries.of(client, Target.of(path)).forEach(entry -> names.add(entry.displayName()));
    return names;
  }

  private Outcome<Entry> remove(Removal removal) {
    return client.remove(ANONYMOUS, RemoveRequest.of(removal)).value().get(0);
  }

  private static RnsError error(Outcome<Entry> outcome) {
    return ((Outcome.Refused<Entry>) outcome).refusal().error();
  }

  @Test
  void aRecursiveRemovalStaysInItsService() {
    try (PlainServer other = PlainServer.start()) {
      String theirs = other.make("ROOT", "kept");
      String d = server.make("ROOT", "d");
      String e = server.make(d, "e");
      server.put(e, "file", new Item("", FILE.content(), "false", ""));
      server.put(e, "up", new Item(d, "", "true", ""));
      server.put(d, "other", new Item("", other.reference("ROOT"), "true", ""));
      assertThat(names("/d/other")).containsExactly("kept");
      assertThat(error(remove(Removal.of(Target.of("/d"))))).isEqualTo(RnsError.NOT_EMPTY);
      assertThat(remove(Removal.recursive(Target.of("/d")))).isInstanceOf(Outcome.Done.class);
      assertThat(server.entries("ROOT")).isEmpty();
      assertThat(server.has(d) || server.has(e)).isFalse();
      assertThat(other.has(theirs)).isTrue();
      assertThat(other.operations()).doesNotContain("Destroy", "RemoveRequest");
    }
  }

  @Test
  void aRemovalThatBreaksOffSaysThatAPartIsGone() {
    String d = server.make("ROOT", "d");
    server.make(d, "a");
    server.make(d, "b");
    int[] destroyed = new int[1];
    server.script(
        "Destroy",
        message -> ++destroyed[0] == 1
            ? PlainForms.answerOf("<l:DestroyResponse xmlns:l='http://docs.oasis-open.org/wsrf/rl-2'/>")
            : PlainForms.fault(
                "Server", "later", "<f:ResourceUnavailableFault xmlns:f='http://docs.oasis-open.org/wsrf/r-2'/>"));
    assertThatThrownBy(() -> remove(Removal.recursive(Target.of("/d"))))
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.UNAVAILABLE))
        .hasMessageEndingWith("a part of the write was applied");
    assertThat(destroyed[0]).as("and is not repeated").isEqualTo(2);
  }

  @Test
  void aLinkToADirectoryOfAnotherServiceIsOnlyUnlinked() {
    try (PlainServer other = PlainServer.start()) {
      other.make("ROOT", "kept");
      server.put("ROOT", "other", new Item("", other.reference("ROOT"), "true", ""));
      assertThat(remove(Removal.of(Target.of("/other")))).isInstanceOf(Outcome.Done.class);
      assertThat(server.entries("ROOT")).isEmpty();
      assertThat(other.entries("ROOT")).containsOnlyKeys("kept");
    }
  }

  @Test
  void onlyHttpIsFollowed() {
    String ftp = "<wsa:Address xmlns:wsa='" + PlainForms.WSA + "'>ftp://host/d</wsa:Address>";
    server.put("ROOT", "ftp", new Item("", ftp, "true", ""));
    assertThatThrownBy(() -> names("/ftp")).hasMessageContaining("only http and https are");
    assertThat(remove(Removal.of(Target.of("/ftp")))).as("it can be unlinked").isInstanceOf(Outcome.Done.class);
  }

  @Test
  void aPathLeadsNotForEverFromServerToServer() {
    String there = server.address().replace("/wsrf/services", "/wsrf/there");
    String d = server.make("ROOT", "d");
    server.put(d, "go", new Item("", PlainForms.reference(there, "ROOT", ""), "true", ""));
    assertThat(names("/" + "d/go/".repeat(8) + "d")).containsExactly("go");
    assertThatThrownBy(() -> names("/" + "d/go/".repeat(9) + "d"))
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.LIMIT_EXCEEDED))
        .hasMessageContaining("more than 16 times");
  }
}
