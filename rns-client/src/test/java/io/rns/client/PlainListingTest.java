package io.rns.client;

import static io.rns.api.CallContext.ANONYMOUS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.ListRequest;
import io.rns.api.NamePattern;
import io.rns.api.NameService;
import io.rns.api.Page;
import io.rns.api.Target;
import io.rns.client.PlainServer.Item;
import io.rns.client.PlainServer.Offsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Listings of a server that knows the standards only: blocks, iterators of both ways to count, pages. */
class PlainListingTest {
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

  @ParameterizedTest
  @CsvSource({
      "OF_THE_REST,10", "OF_THE_DIRECTORY,10", "OF_THE_REST,1", "OF_THE_DIRECTORY,1", "OF_THE_REST,25",
      "OF_THE_REST,24",
      "OF_THE_DIRECTORY,24", "OF_THE_REST,0", "OF_THE_DIRECTORY,0", "OF_THE_REST,5", "OF_THE_DIRECTORY,5"
  })
  void bothWaysOfCountingGiveEveryEntryOnce(Offsets offsets, int block) {
    List<String> sorted = new ArrayList<>();
    for (int i = 24; i >= 0; i--) {
      String name = "n" + (100 + i);
      server.put("ROOT", name, new Item("", FILE.content(), "false", ""));
      sorted.add(0, name);
    }
    server.iterate(block, offsets);
    assertThat(names("/")).isEqualTo(sorted);
    if (block < 25) {
      assertThat(server.operations()).endsWith("Destroy").containsOnlyOnce("Destroy");
    }
  }

  @Test
  void pagesAreOfOneListing() {
    for (int i = 0; i < 25; i++) {
      server.put("ROOT", "n" + (100 + i), new Item("", FILE.content(), "false", ""));
    }
    List<String> names = new ArrayList<>();
    ListRequest request = ListRequest.of(Target.ROOT).pagesOf(10);
    for (Page page = client.list(ANONYMOUS, request).value().orThrow();;) {
      page.entries().forEach(entry -> names.add(entry.displayName()));
      if (page.next().isEmpty()) {
        break;
      }
      page = client.list(ANONYMOUS, request.from(page.next().get())).value().orThrow();
    }
    assertThat(names).hasSize(25).isSorted();
    assertThat(server.operations()).containsExactly("LookupRequest");
    List<Entry> some =
        client.list(ANONYMOUS, request.matching(NamePattern.glob("*7"))).value().orThrow().entries();
    assertThat(some).extracting(Entry::displayName).containsExactly("n107", "n117");
  }

  @Test
  void anIteratorThatRepeatsItselfIsNotFollowedForEver() {
    for (int i = 0; i < 30; i++) {
      server.put("ROOT", "n" + (100 + i), new Item("", FILE.content(), "false", ""));
    }
    server.iterate(10, Offsets.OF_THE_REST);
    String same =
        "<iter:IterateResponseType><iter:iterator-size>99</iter:iterator-size><iter:iterable-element index='0'>"
            + ("<rns:RNSEntryResponseType entry-name='z'><rns:endpoint>" + FILE.content() + "</rns:endpoint>")
            + "</rns:RNSEntryResponseType></iter:iterable-element></iter:IterateResponseType>";
    server.script("IterateRequestType", message -> PlainForms.answerOf(same));
    assertThatThrownBy(() -> names("/")).hasMessageContaining("returns the same entries again");
  }
}
