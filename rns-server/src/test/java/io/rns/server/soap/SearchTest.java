package io.rns.server.soap;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.EndpointReference;
import io.rns.api.Metadata;
import io.rns.api.ModelNameService;
import io.rns.api.Target;
import io.rns.server.query.Searches;
import io.rns.server.soap.Conversation.Entrance;
import io.rns.wire.resource.IteratedBlock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Searches by metadata as RENKEI's clients make them. */
class SearchTest {
  private static final String DIRECTORY = "<x:Path>/d</x:Path>";
  private static final String DECLARED = "declare namespace n='http://schemas.ogf.org/rns/2009/12/rns'; ";
  private static final String EVEN = DECLARED + "/n:RNSEntryResponseType[n:metadata/rnskv[@key='even']='true']";

  private final ManualClock clock = new ManualClock();
  private final ModelNameService service = new ModelNameService(clock);
  private final SoapEndpoint endpoint = new SoapEndpoint(SoapEndpoint.Parts.of(service, SoapSettings.DEFAULT));
  private final Conversation client = new Conversation(endpoint, Entrance.FILTER);

  private static String name(int number) {
    return "n" + (10_000 + number);
  }

  private void fill(int entries) {
    List<NewEntry> all = new ArrayList<>();
    for (int i = 0; i < entries; i++) {
      Metadata metadata = Metadata.of(Map.of("even", i % 2 == 0 ? "true" : "false", "number", "" + i));
      all.add(
          NewEntry.junction(Target.of("/d/" + name(i)), EndpointReference.ofAddress("http://h/" + i)).with(metadata));
    }
    service.add(CallContext.ANONYMOUS, new AddRequest(all, true, false));
  }

  private static String search(String query, String... names) {
    StringBuilder body =
        new StringBuilder("<q:SearchRequest xmlns:q='http://schemas.ogf.org/rns/2010/11/metadata-search'>");
    for (String name : names) {
      body.append("<q:entry-name>").append(name).append("</q:entry-name>");
    }
    return body + "<q:query>" + query.replace("&", "&amp;").replace("<", "&lt;") + "</q:query></q:SearchRequest>";
  }

  @ParameterizedTest
  @EnumSource(Entrance.class)
  void theQueryFiltersAndProjects(Entrance entrance) {
    fill(6);
    Conversation other = new Conversation(endpoint, entrance);
    String answer = other.ask(DIRECTORY, search(EVEN));
    assertThat(Conversation.names(answer)).containsExactly(name(0), name(2), name(4));
    assertThat(answer).contains("SearchResponse", "http://h/2", "supports-rns value=\"unknown\"")
        .doesNotContain("iterator");
    String projected =
        DECLARED + "for $e in /n:RNSEntryResponseType where $e/n:metadata/rnskv[@key='number'] > 3"
            + " return <n:RNSEntryResponseType entry-name='{concat('<', $e/@entry-name)}'>{$e/n:endpoint}</n:RNSEntryResponseType>";
    assertThat(other.ask(DIRECTORY, search(projected)))
        .contains("entry-name=\"&lt;" + name(4) + "\"", "entry-name=\"&lt;" + name(5) + "\"", "http://h/5")
        .doesNotContain("rnskv", name(3));
    assertThat(other.ask(DIRECTORY, search("()"))).contains("SearchResponse").doesNotContain("entry-response");
  }

  @Test
  void onlyTheEntriesThatAreNamedAreLookedAt() {
    fill(6);
    String some = client.ask(DIRECTORY, search(EVEN, name(2), "none", name(1), "a/b", name(0)));
    assertThat(Conversation.names(some)).as("in the order of the request").containsExactly(name(2), name(0));
    assertThat(client.ask(DIRECTORY, search(EVEN, "none", "a/b"))).contains("SearchResponse")
        .doesNotContain("entry-response");
    String nil = search(EVEN).replace("<q:query>", "<q:entry-name i:nil='true'/><q:query>");
    assertThat(Conversation.names(client.ask(DIRECTORY, nil))).hasSize(3);
  }

  @Test
  void moreThanABlockGoesOnWithAnIterator() {
    fill(5_003);
    // A search that runs out of time returns what it has found; on a slow machine that is less than a block.
    Searches patient = new Searches(service, Duration.ofHours(1), Duration.ofHours(1));
    SoapEndpoint.Parts parts = SoapEndpoint.Parts.of(service, SoapSettings.DEFAULT);
    Conversation client = new Conversation(new SoapEndpoint(parts, patient), Entrance.FILTER);
    String first = client.ask(DIRECTORY, search(EVEN));
    List<String> names = new ArrayList<>(Conversation.names(first));
    assertThat(names).hasSize(1_000);
    String iterator = Conversation.iterator(first);
    // As RENKEI's clients go on: offsets count all that was found, a block that is not full is the last.
    IteratedBlock block;
    do {
      block = client.iterate(iterator, names.size(), 1_000);
      for (IteratedBlock.Element element : block.elements()) {
        assertThat(element.index()).isEqualTo(names.size());
        assertThat(element.xml()).contains("RNSEntryResponseType", "rnskv");
        names.addAll(Conversation.names(element.xml()));
      }
    } while (block.elements().size() == 1_000);
    assertThat(names).hasSize(2_502).isSorted().doesNotHaveDuplicates().last().isEqualTo(name(5_002));
    assertThat(block.size()).isEqualTo(2_502);
    String again = Conversation.iterator(client.ask(DIRECTORY, search(EVEN)));
    assertThat(Conversation.names(client.askNext(again, 2_000, 1))).as("from anywhere")
        .containsExactly(names.get(2_000));
    assertThat(client.ask(Conversation.header(iterator), "<l:Destroy/>")).contains("DestroyResponse");
  }

  @Test
  void whatIsNoSearchIsRefused() {
    fill(3);
    service.add(CallContext.ANONYMOUS,
        AddRequest.of(NewEntry.junction(Target.of("/l"), EndpointReference.ofAddress("http://h/"))));
    for (String bad : List.of("doc('file:///etc/passwd')", "1 to", "'text'", "", "/* * 2", "x".repeat(4_097))) {
      assertThat(client.ask(DIRECTORY, search(bad))).as(bad).contains(":SearchFault", "Timestamp", "Client<");
    }
    String endless =
        "for $a in //*, $b in //*, $c in //*, $d in //*, $e in //*, $f in //*, $g in //*, $h in //*, $i in //* return $a";
    assertThat(client.ask(DIRECTORY, search(endless))).contains(":SearchFault", ">LIMIT_EXCEEDED<");
    for (String directory : List.of("<x:Path>/none</x:Path>", "<x:Path>/l</x:Path>",
        "<x:EntryId>00000000000000ff</x:EntryId>")) {
      assertThat(client.ask(directory, search(EVEN))).contains("ResourceUnknownFault");
      assertThat(client.ask(directory, search(EVEN, "a"))).contains("ResourceUnknownFault");
    }
    String noQuery = "<q:SearchRequest xmlns:q='http://schemas.ogf.org/rns/2010/11/metadata-search'/>";
    assertThat(client.ask(DIRECTORY, noQuery)).contains(":SearchFault", "has no element 'query'");
    String name = "<q:entry-name>a</q:entry-name>";
    assertThat(client.ask(DIRECTORY, search("/*").replace("<q:query>", name.repeat(1_000) + "<q:query>")))
        .contains("SearchResponse");
    assertThat(client.ask(DIRECTORY, search("/*").replace("<q:query>", name.repeat(1_001) + "<q:query>")))
        .contains(":SearchFault", "1001 names");
  }

  @Test
  void directoriesAreFoundWithTheirReferences() {
    fill(1);
    String answer = client.ask("", search(DECLARED + "/*[n:metadata/n:supports-rns/@value = 'true']"));
    assertThat(Conversation.names(answer)).containsExactly("d");
    assertThat(answer).contains("EntryId", "urn:ws-naming:epi:");
  }
}
