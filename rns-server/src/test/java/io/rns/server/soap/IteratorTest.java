package io.rns.server.soap;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.EndpointReference;
import io.rns.api.ListRequest;
import io.rns.api.ModelNameService;
import io.rns.api.Outcome;
import io.rns.api.Page;
import io.rns.api.RemoveRequest;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.Target;
import io.rns.server.iteration.IteratorTable;
import io.rns.server.soap.Conversation.Block;
import io.rns.server.soap.Conversation.Entrance;
import io.rns.wire.resource.IteratedBlock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Large lookups go on with an iterator, whichever way a client counts, and whoever else is at work. */
class IteratorTest {
  private static final String DIRECTORY = "<x:Path>/d</x:Path>";
  private static final int ENTRIES = 2_500;

  /** The model, in which things happen before a page is listed. */
  private static final class Busy extends ModelNameService {
    Runnable beforePage = () -> {};

    Busy(ManualClock clock) {
      super(clock);
    }

    @Override
    public synchronized Answer<Outcome<Page>> list(CallContext call, ListRequest request) {
      beforePage.run();
      return super.list(call, request);
    }
  }

  private final ManualClock clock = new ManualClock();
  private final Busy service = new Busy(clock);
  private final SoapEndpoint endpoint =
      new SoapEndpoint(
          SoapEndpoint.Parts.of(service, new SoapSettings(Optional.empty(), Duration.ofSeconds(1), 1, clock)));
  private final Conversation client = new Conversation(endpoint, Entrance.FILTER);

  private static String name(int number) {
    return "n" + (10_000 + number);
  }

  private void add(List<String> names) {
    List<NewEntry> entries = new ArrayList<>();
    for (String name : names) {
      entries.add(NewEntry.junction(Target.of("/d/" + name), EndpointReference.ofAddress("http://h/" + name)));
    }
    service.add(CallContext.ANONYMOUS, new AddRequest(entries, true, false));
  }

  private void remove(String name) {
    service.remove(CallContext.ANONYMOUS, RemoveRequest.of(Removal.of(Target.of("/d/" + name))));
  }

  private List<String> fill(int entries) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < entries; i++) {
      names.add(name(i));
    }
    add(names);
    return names;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 499, 500, 999, 1_000, 1_001, 1_499, 1_500, 1_501, 2_500, 10_000_000})
  void allEntriesAreListedWhicheverWayTheClientCounts(int blockSize) {
    List<String> names = fill(ENTRIES);
    for (Entrance entrance : Entrance.values()) {
      Conversation other = new Conversation(endpoint, entrance);
      assertThat(other.listCountingAll(DIRECTORY, blockSize)).isEqualTo(names);
      assertThat(other.listCountingRest(DIRECTORY, blockSize)).isEqualTo(names);
    }
  }

  @Test
  void whatFitsIntoABlockNeedsNoIterator() {
    List<String> names = fill(1_000);
    assertThat(client.lookup(DIRECTORY)).isEqualTo(new Block(names, ""));
    add(List.of("z"));
    Block block = client.lookup(DIRECTORY);
    assertThat(block.names()).isEqualTo(names);
    assertThat(client.iterate(block.iterator(), 0, 5).elements()).hasSize(1);
    assertThat(client.lookup(DIRECTORY + "<x:Page size='7'/>").iterator()).as("page by page").isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void whoWasThereAllTheTimeIsListedOnceWhileOthersComeAndGo(long seed) {
    List<String> stable = fill(ENTRIES);
    Random random = new Random(seed);
    List<String> passing = new ArrayList<>();
    service.beforePage =
        () -> {
          List<String> come = new ArrayList<>();
          for (int i = 1 + random.nextInt(200); i > 0; i--) {
            come.add(name(random.nextInt(ENTRIES)) + "-" + random.nextInt());
          }
          add(come);
          passing.addAll(come);
          for (int i = random.nextInt(150); i > 0 && !passing.isEmpty(); i--) {
            remove(passing.remove(random.nextInt(passing.size())));
          }
        };
    int blockSize = 1 + random.nextInt(1_200);
    List<List<String>> listings =
        List.of(client.listCountingAll(DIRECTORY, blockSize), client.listCountingRest(DIRECTORY, blockSize));
    for (List<String> listed : listings) {
      assertThat(listed).isSorted().doesNotHaveDuplicates();
      assertThat(listed.stream().filter(stable::contains)).containsExactlyElementsOf(stable);
    }
  }

  @Test
  void aBlockMayBeAskedForAgain() {
    List<String> names = fill(ENTRIES);
    String iterator = client.lookup(DIRECTORY).iterator();
    IteratedBlock first = client.iterate(iterator, 1_000, 700);
    assertThat(client.iterate(iterator, 1_000, 700)).isEqualTo(first);
    IteratedBlock second = client.iterate(iterator, 1_700, 700);
    assertThat(client.iterate(iterator, 1_700, 700)).isEqualTo(second);
    // Anywhere, from the beginning on.
    assertThat(Conversation.names(client.askNext(iterator, 0, 3))).isEqualTo(names.subList(0, 3));
    assertThat(Conversation.names(client.askNext(iterator, 2_490, 20))).isEqualTo(names.subList(2_490, ENTRIES));
    assertThat(client.iterate(iterator, 1_234, 0)).isEqualTo(new IteratedBlock(ENTRIES, List.of()));
  }

  @Test
  void nothingIsBehindTheEnd() {
    fill(ENTRIES);
    for (long start : new long[]{ENTRIES, ENTRIES + 1, 1_000_000, Long.MAX_VALUE}) {
      assertThat(client.iterate(client.lookup(DIRECTORY).iterator(), start, 10))
          .isEqualTo(new IteratedBlock(ENTRIES, List.of()));
      String relative = client.lookup(DIRECTORY).iterator();
      client.iterate(relative, 0, 1);
      assertThat(client.iterate(relative, start, 10)).isEqualTo(new IteratedBlock(1_500, List.of()));
    }
    String iterator = client.lookup(DIRECTORY).iterator();
    assertThat(client.ask(Conversation.header(iterator),
        Conversation.iterateBody(0, 1).replace(">0<", ">18446744073709551615<")))
        .contains("iterator-size>2500<");
  }

  @ParameterizedTest
  @EnumSource(Entrance.class)
  void anIteratorEndsWhenItIsDestroyed(Entrance entrance) {
    fill(ENTRIES);
    Conversation other = new Conversation(endpoint, entrance);
    String iterator = other.lookup(DIRECTORY).iterator();
    String header = Conversation.header(iterator);
    assertThat(endpoint.statistics()).containsEntry("iterators", 1);
    assertThat(other.ask(header, "<l:Destroy/>")).contains("DestroyResponse");
    assertThat(endpoint.statistics()).containsEntry("iterators", 0);
    for (String body : List.of("<l:Destroy/>", Conversation.iterateBody(0, 1), "<p:GetResourcePropertyDocument/>")) {
      assertThat(other.ask(header, body)).as(body).contains("ResourceUnknownFault", iterator);
    }
  }

  @Test
  void anIteratorThatIsNotUsedEnds() {
    fill(ENTRIES);
    String iterator = client.lookup(DIRECTORY).iterator();
    clock.advance(IteratorTable.IDLE);
    assertThat(client.iterate(iterator, 0, 1).elements()).hasSize(1);
    clock.advance(IteratorTable.IDLE);
    assertThat(client.ask(Conversation.header(iterator), "<p:GetResourcePropertyDocument/>")).contains("elementCount");
    clock.advance(IteratorTable.IDLE.plusNanos(1));
    assertThat(client.askNext(iterator, 1, 1)).contains("ResourceUnknownFault", ">NO_SUCH_ENTRY<");
  }

  @Test
  void anIteratorIsNamed() {
    fill(1);
    assertThat(client.ask("", Conversation.iterateBody(0, 1))).contains("ResourceUnknownFault");
    assertThat(client.askNext("none", 0, 1)).contains("ResourceUnknownFault", "'none'");
    for (String body : List.of("<n:LookupRequest/>", "<r:list/>", "<n:RemoveRequest/>", "<x:batch/>")) {
      assertThat(client.ask("<x:Iterator>i</x:Iterator>", body)).as(body).contains(">INVALID_REQUEST<", "x:Iterator");
    }
    String iterator = "<x:Iterator>i</x:Iterator>";
    assertThat(client.ask(iterator, "<v:resolve/>")).contains("ResolveFailedFault");
    for (String[] wrong : new String[][]{{"start-offset>0", "start-offset>-1"},
        {"element-count>1", "element-count>many"},
        {"<t:start-offset>0</t:start-offset>", ""}}) {
      assertThat(client.ask(iterator, Conversation.iterateBody(0, 1).replace(wrong[0], wrong[1])))
          .contains(">INVALID_REQUEST<");
    }
  }

  @Test
  void theDirectoryMayMoveAndMayGo() {
    List<String> names = fill(ENTRIES);
    String iterator = client.lookup(DIRECTORY).iterator();
    client.ask(DIRECTORY, "<r:update><r:entry_name>renamed</r:entry_name></r:update>");
    assertThat(Conversation.names(client.askNext(iterator, 0, 2))).isEqualTo(names.subList(1_000, 1_002));
    client.ask("<x:Path>/renamed</x:Path>", "<r:remove x:recursive='true'/>");
    assertThat(client.askNext(iterator, 2, 2)).contains("ResourceUnknownFault");
  }

  @Test
  void propertiesAreThoseOfTheStandard() {
    fill(ENTRIES);
    String iterator = client.lookup(DIRECTORY).iterator();
    String header = Conversation.header(iterator);
    String t = " xmlns:t='http://schemas.ogf.org/ws-iterator/2008/06/iterator'";
    assertThat(client.ask(header, "<p:GetResourceProperty" + t + ">t:preferredBlockSize</p:GetResourceProperty>"))
        .contains("preferredBlockSize xmlns:_t=", ">1000<");
    assertThat(client.ask(header, "<p:GetResourcePropertyDocument/>"))
        .containsSubsequence("<_t:WSIteratorRP", "elementCount", ">2500<", "preferredBlockSize", ">1000<",
            "</_t:WSIteratorRP>");
    client.iterate(iterator, 0, 1);
    assertThat(client.ask(header, "<p:GetMultipleResourceProperties" + t
        + "><p:ResourceProperty>t:elementCount</p:ResourceProperty></p:GetMultipleResourceProperties>"))
        .contains(">1500<");
    assertThat(client.ask(header, "<p:GetResourceProperty>n:elementCount</p:GetResourceProperty>"))
        .contains("InvalidResourcePropertyQNameFault", "an iterator has no property");
    assertThat(client.ask(DIRECTORY, "<p:GetResourceProperty" + t + ">t:elementCount</p:GetResourceProperty>"))
        .contains("InvalidResourcePropertyQNameFault", "a directory has no property");
  }

  private static String end(String time) {
    return "<l:SetTerminationTime><l:RequestedTerminationTime>" + time
        + "</l:RequestedTerminationTime></l:SetTerminationTime>";
  }

  @ParameterizedTest
  @EnumSource(Entrance.class)
  void theEndOfAnIteratorMayBeSet(Entrance entrance) {
    fill(ENTRIES);
    Conversation other = new Conversation(endpoint, entrance);
    String iterator = other.lookup(DIRECTORY).iterator();
    String header = Conversation.header(iterator);
    assertThat(other.ask(header, "<p:GetResourcePropertyDocument/>"))
        .containsSubsequence("CurrentTime", ">2026-01-02T03:04:05.678901Z<", "TerminationTime",
            ">2026-01-02T03:14:05.678901Z<");
    String latest = "2026-01-02T04:04:05.678901Z";
    assertThat(other.ask(header, end(latest)))
        .containsSubsequence("NewTerminationTime>" + latest, "CurrentTime>2026-01-02T03:04:05.678901Z");
    // Neither use nor idleness changes it.
    clock.advance(IteratorTable.IDLE.multipliedBy(6));
    assertThat(other.ask(header, "<p:GetResourcePropertyDocument/>")).contains(latest);
    clock.advance(Duration.ofNanos(1));
    assertThat(other.askNext(iterator, 0, 1)).contains("ResourceUnknownFault");
    assertThat(other.ask(header, end(latest))).contains("ResourceUnknownFault");
  }

  @Test
  void anIteratorEndsAtOnceWhenItsTimeIsOver() {
    fill(ENTRIES);
    for (String over : List.of("2026-01-02T03:04:05.678901Z", "1999-01-01T00:00:00+01:00")) {
      String iterator = client.lookup(DIRECTORY).iterator();
      assertThat(client.ask(Conversation.header(iterator), end(over))).contains("NewTerminationTime>");
      assertThat(client.askNext(iterator, 0, 1)).contains("ResourceUnknownFault");
    }
    String iterator = client.lookup(DIRECTORY).iterator();
    String body =
        "<l:SetTerminationTime><l:RequestedLifetimeDuration>PT1M</l:RequestedLifetimeDuration></l:SetTerminationTime>";
    assertThat(client.ask(Conversation.header(iterator), body))
        .contains("NewTerminationTime>2026-01-02T03:05:05.678901Z<");
    assertThat(client.askNext(iterator, 0, 1)).contains("IterateResponseType");
    clock.advance(Duration.ofMinutes(1).plusNanos(1));
    assertThat(client.askNext(iterator, 1, 1)).contains("ResourceUnknownFault");
  }

  @Test
  void anEndThatIsTooLateIsRejected() {
    fill(ENTRIES);
    String header = Conversation.header(client.lookup(DIRECTORY).iterator());
    String never = "<l:SetTerminationTime><l:RequestedTerminationTime i:nil='true'/></l:SetTerminationTime>";
    for (String late : List.of(end("2026-01-02T04:04:05.678902Z"), never)) {
      assertThat(client.ask(header, late)).contains("<_l:TerminationTimeChangeRejectedFault", "60 minutes");
    }
    for (String wrong : List.of(end("soon"), "<l:SetTerminationTime/>",
        end("2026-01-02T04:04:05Z").replace("TerminationTime>2", "LifetimeDuration>2")
            .replace("Z</l:RequestedTerminationTime", "Z</l:RequestedLifetimeDuration"))) {
      assertThat(client.ask(header, wrong)).as(wrong).contains("<_l:UnableToSetTerminationTimeFault");
    }
    assertThat(client.ask(header, "<p:GetResourcePropertyDocument/>")).contains(">2026-01-02T03:14:05.678901Z<");
  }
}
