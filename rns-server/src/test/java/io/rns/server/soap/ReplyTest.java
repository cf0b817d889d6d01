package io.rns.server.soap;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Caller;
import io.rns.api.Entry;
import io.rns.api.ListRequest;
import io.rns.api.Metadata;
import io.rns.api.ModelNameService;
import io.rns.api.Outcome;
import io.rns.api.Page;
import io.rns.api.RemoveRequest;
import io.rns.api.Target;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.server.audit.RecordedAudit;
import io.rns.wire.HostileMessages;
import io.rns.wire.MessageHeaders;
import io.rns.wire.SoapVersion;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Answers come in pieces of bounded size, and a broken one never looks whole. */
class ReplyTest {
  private static final int ENTRIES = 3_500;

  /** The model, until a page that was agreed upon. */
  private static final class Flaky extends ModelNameService {
    private int pagesUntilTrouble = Integer.MAX_VALUE;
    private RuntimeException trouble = new RnsException(RnsError.UNAVAILABLE, "the database is gone");

    @Override
    public synchronized Answer<Outcome<Page>> list(CallContext call, ListRequest request) {
      if (pagesUntilTrouble-- == 0) {
        throw trouble;
      }
      return super.list(call, request);
    }
  }

  /**
   * Another server is the primary: it says so by a value, or by the error that the same is where there are no values.
   */
  private static final class Replica extends ModelNameService {
    private static final Answer.Referred<Object> REFERRED =
        new Answer.Referred<>("http://a/rns", "the primary is http://a/rns");
    private final boolean throwing;

    Replica(boolean throwing) {
      this.throwing = throwing;
    }

    private static <A> Answer<A> refer(boolean throwing) {
      if (throwing) {
        throw REFERRED.toException();
      }
      return new Answer.Referred<>(REFERRED.server(), REFERRED.reason());
    }

    @Override
    public synchronized Answer<Outcome<Page>> list(CallContext call, ListRequest request) {
      return refer(throwing);
    }

    @Override
    public synchronized Answer<List<Outcome<Entry>>> remove(CallContext call, RemoveRequest request) {
      return refer(throwing);
    }
  }

  private final Flaky service = new Flaky();
  private final SoapEndpoint endpoint = new SoapEndpoint(SoapEndpoint.Parts.of(service, SoapSettings.DEFAULT));

  private void fill() {
    List<NewEntry> entries = new ArrayList<>();
    for (int i = 0; i < ENTRIES; i++) {
      entries.add(NewEntry.directory(Target.of("/d/n" + (10_000 + i))).with(Metadata.of(Map.of("number", "" + i))));
    }
    service.add(CallContext.ANONYMOUS, new AddRequest(entries, true, true));
  }

  private Reply reply(String headers, String body) {
    return reply(endpoint, headers, body);
  }

  private static Reply reply(SoapEndpoint endpoint, String headers, String body) {
    byte[] message = HostileMessages.message(headers, body).getBytes(UTF_8);
    MessageHeaders.Reader reader = new MessageHeaders.Reader();
    try (XmlPull pull = XmlPull.document(message, message.length)) {
      pull.nextChild();
      if (!headers.isEmpty()) {
        while (pull.nextChild()) {
          assertThat(reader.take(pull)).isTrue();
        }
        pull.nextChild();
      }
      pull.nextChild();
      return endpoint
          .read(pull, reader.headers(),
              new SoapCall(Caller.ANONYMOUS, Entrances.URL, Target.ROOT, "", () -> "192.0.2.1", () -> "192.0.2.1",
                  () -> "", Optional.empty()))
          .answer()
          .get();
    }
  }

  private static List<String> pieces(Reply reply) {
    List<String> pieces = new ArrayList<>();
    XmlBuffer out = new XmlBuffer(16);
    boolean more = true;
    while (more) {
      more = reply.writeNext(out, SoapVersion.V1_1);
      pieces.add(out.toString());
      out.truncate(0);
    }
    return pieces;
  }

  @Test
  void aWholeDirectoryIsListedPieceByPiece() {
    fill();
    List<String> pieces = pieces(reply("<x:Path>/d</x:Path>", "<r:list/>"));
    assertThat(pieces).hasSizeGreaterThan(5).allMatch(piece -> piece.length() < Reply.PIECE_BYTES + 2_000);
    String all = String.join("", pieces);
    assertThat(all.split("<_r:entry>", -1)).hasSize(ENTRIES + 1);
    assertThat(all.split("rnskv key", -1)).hasSize(ENTRIES + 1);
    assertThat(all).startsWith("<_r:listResponse").endsWith("</_r:EntryList></_r:listResponse>");
  }

  @Test
  void aPageIsOnlyThatPage() {
    fill();
    Reply reply = reply("<x:Path>/d</x:Path><x:Page size='10'/>", "<r:list/>");
    assertThat(reply.headers().paged()).isTrue();
    assertThat(reply.headers().next()).isPresent();
    assertThat(String.join("", pieces(reply)).split("<_r:entry>", -1)).hasSize(11);
  }

  @Test
  void aReferralIsTheFaultThatNamesThePrimary() {
    for (String body : List.of("<r:list/>", "<r:remove/>")) {
      List<String> sent = new ArrayList<>();
      for (boolean throwing : new boolean[]{true, false}) {
        SoapEndpoint replica =
            new SoapEndpoint(SoapEndpoint.Parts.of(new Replica(throwing), SoapSettings.DEFAULT));
        Reply reply = reply(replica, "<x:Path>/d</x:Path><x:Referrals/>", body);
        assertThat(reply.status(SoapVersion.V1_1)).isEqualTo(500);
        sent.add(String.join("", pieces(reply)).replaceAll("Timestamp>[^<]*<", "Timestamp><"));
      }
      assertThat(sent.get(1)).isEqualTo(sent.get(0)).contains("<_x:referral>http://a/rns</_x:referral>", "NOT_PRIMARY");
    }
  }

  @Test
  void aListingThatBreaksInTheMiddleNeverEnds() {
    fill();
    service.pagesUntilTrouble = 2;
    Reply reply = reply("<x:Path>/d</x:Path>", "<r:list/>");
    assertThat(reply.status(SoapVersion.V1_1)).isEqualTo(200);
    assertThatThrownBy(() -> pieces(reply))
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.UNAVAILABLE));
  }

  @Test
  void aListingThatBreaksAtTheStartIsAFault() {
    service.pagesUntilTrouble = 0;
    Reply reply = reply("", "<r:list/>");
    assertThat(reply.status(SoapVersion.V1_1)).isEqualTo(500);
    assertThat(pieces(reply)).singleElement().asString().contains("_s:Server", "ResourceUnavailableFault",
        "database is gone");
  }

  @Test
  void aDefectShowsOnlyAnIncident() {
    service.pagesUntilTrouble = 0;
    service.trouble = new IllegalStateException("password=secret");
    Reply reply = reply("", "<r:list/>");
    assertThat(pieces(reply)).singleElement().asString().contains(">INTERNAL<", "incident").doesNotContain("secret");
  }

  @Test
  void aLargeBatchIsAnsweredPieceByPiece() {
    Metadata large = Metadata.of(Map.of("text", "x".repeat(100_000)));
    NewEntry entry = NewEntry.directory(Target.of("/large")).with(large);
    service.add(CallContext.ANONYMOUS, AddRequest.of(entry));
    List<String> pieces =
        pieces(reply("<x:Path>/large</x:Path>", "<x:batch>" + "<r:query/>".repeat(500) + "</x:batch>"));
    assertThat(pieces).hasSize(500).allMatch(piece -> piece.length() < 110_000);
  }

  @Test
  void aBatchSaysPerItemWhatCameOfIt() {
    String items =
        "<r:add><r:entry_name>a</r:entry_name></r:add><r:add><r:entry_name>a</r:entry_name></r:add>"
            + "<r:add><r:entry_name>..</r:entry_name></r:add><r:add x:path='/none'><r:entry_name>b</r:entry_name></r:add>"
            + "<r:add x:path='/a'><r:entry_name>b</r:entry_name></r:add>";
    String answer = String.join("", pieces(reply("", "<x:batch>" + items + "</x:batch>")));
    assertThat(answer).containsSubsequence(
        "<_r:addResponse>", "RNSEntryExistsFaultType", ">INVALID_NAME<", ">NO_SUCH_ENTRY<", "<_r:addResponse>");
    String nothing =
        String.join("", pieces(reply("", "<x:batch all-or-nothing='1'>" + items.replace(">a<", ">c<") + "</x:batch>")));
    assertThat(nothing).doesNotContain("addResponse").contains(">NOT_APPLIED<", ">INVALID_NAME<");
    assertThat(pieces(reply("<x:Path>/c</x:Path>", "<r:query/>"))).singleElement().asString()
        .contains(">NO_SUCH_ENTRY<");
  }

  @Test
  void aBatchOfQueriesIsNoChangeForTheAuditLog() throws IOException {
    try (RecordedAudit audit = new RecordedAudit(false)) {
      audit.during("reads", Caller.ANONYMOUS, () -> reply("", "<x:batch><r:query/><r:query/></x:batch>"));
      audit.during("writes", Caller.ANONYMOUS, () -> reply("", "<x:batch><r:remove/><r:remove/></x:batch>"));
      assertThat(audit.lines()).containsOnlyKeys("writes");
    }
  }
}
