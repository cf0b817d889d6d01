package io.rns.client.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.Answer;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.Entry.Binding;
import io.rns.api.Entry.Junction;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.ListRequest;
import io.rns.api.Metadata;
import io.rns.api.Outcome;
import io.rns.api.Page;
import io.rns.api.Position;
import io.rns.api.Target;
import io.rns.error.RnsException;
import io.rns.wire.Envelope;
import io.rns.wire.ReplyForm;
import io.rns.wire.ReplyHeaders;
import io.rns.wire.SoapVersion;
import io.rns.wire.WireValues;
import io.rns.wire.rns.EntryOperations;
import io.rns.wire.rns.ListingForm;
import io.rns.wire.rns.UsualEntries;
import io.rns.xml.XmlBuffer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Entries that are read without a parser are what a parser makes of them. */
class UsualEntriesTest {
  private static final int ROUNDS = 3_000;
  private static final Instant TIME = Instant.parse("2026-01-02T03:04:05.678901Z");
  private static final String[] NAMES = {"data.tar", "été 語", "a'b", "-", "x:y", "R&D", "_x:y"};
  private static final String[] ADDRESSES = {
      "http://host/a", "gsiftp://host:2811/b?c=d", "urn:uuid:1", "http://host/_x:a", "http://host/?a=b&c", "http://ü/"
  };

  enum Form {
    RNS_1_0, RNS_1_1;

    private ListingForm listing() {
      return this == RNS_1_0 ? EntryOperations.LIST : EntryOperations.LOOKUP_11;
    }

    private RemoteCall<Outcome<Page>> call() {
      return RemoteCall.list(ListRequest.of(Target.ROOT), MessageForm.valueOf(name()));
    }

    private String written(Page page) {
      ReplyForm form = new ReplyForm(true, "http://host/rns");
      XmlBuffer out = new XmlBuffer(16);
      ReplyHeaders headers = new ReplyHeaders(Optional.of(new Position(1, 2, 3)), true, page.next(), 0);
      Envelope.open(out, SoapVersion.V1_1, headers, "");
      ListingForm listing = listing();
      listing.startListing(out, page.directory(), form);
      page.entries().forEach(entry -> listing.writeEntry(out, entry, form));
      listing.endListing(out, form, null);
      Envelope.close(out);
      return out.toString();
    }

    private Object read(byte[] message) {
      try {
        return call().read(new ByteArrayInputStream(message));
      } catch (RnsException e) {
        return e.error();
      }
    }
  }

  private static VirtualDirectory directory(int number) {
    return new VirtualDirectory(binding("d" + number), new EntryId(7 + number), 9, TIME, TIME, Metadata.NONE, -1);
  }

  private static Binding binding(String name) {
    return new Binding(new EntryId(2), EntryName.of(name));
  }

  private static Junction junction(String name, String address, Metadata metadata) {
    List<EndpointReference> references =
        List.of(EndpointReference.ofAddress(address), EndpointReference.ofAddress("http://second/"));
    return new Junction(binding(name), new EntryId(0x0003_0000_0000_00afL), 12, TIME, TIME.plusSeconds(1), metadata,
        references);
  }

  private static Page usual() {
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      entries.add(directory(i));
      entries.add(junction("été-" + i, "http://host/" + i, Metadata.NONE));
      entries.add(junction("j" + i, "http://host/" + i, Metadata.of(Map.of("key", "some value"))));
    }
    return new Page(directory(0), entries, Optional.empty());
  }

  @ParameterizedTest
  @EnumSource
  void usualEntriesAreTaken(Form form) throws IOException {
    Page page = usual();
    byte[] message = form.written(page).getBytes(StandardCharsets.UTF_8);
    UsualEntries taken = UsualEntries.takenFrom(new ByteArrayInputStream(message));
    assertThat(taken.entries()).isEqualTo(page.entries());
    assertThat(new String(taken.rest().readAllBytes(), StandardCharsets.UTF_8))
        .isEqualTo(form.written(new Page(page.directory(), List.of(), page.next())));
    assertThat(form.read(message)).isEqualTo(new Answer.Served<>(Outcome.done(page), new Position(1, 2, 3), 0));
  }

  /** Whatever the message has. */
  @ParameterizedTest
  @EnumSource
  void parserAgrees(Form form) {
    int differently = 0;
    for (long seed = 0; seed < ROUNDS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Page page = random.nextBoolean() ? new WireValues(seed).page() : mixed(random);
      String written = form.written(page);
      byte[] message = written.getBytes(StandardCharsets.UTF_8);
      byte[] parsed = written.replace("<_s:Body>", "<_s:Body> ").getBytes(StandardCharsets.UTF_8);
      if (random.nextInt(4) > 0) {
        int behind = random.nextInt(written.length() - written.indexOf("<_s:Body>") - "<_s:Body>".length());
        byte other = (byte) (random.nextBoolean() ? random.nextInt(256) : "<>&\"'/: \t_x".charAt(random.nextInt(11)));
        message[message.length - 1 - behind] = other;
        parsed[parsed.length - 1 - behind] = other;
      }
      Object expected = form.read(parsed);
      assertThat(form.read(message)).as("seed %d: %s", seed, new String(message, StandardCharsets.UTF_8))
          .isEqualTo(expected);
      differently += UsualEntries.takenFrom(new ByteArrayInputStream(message)).entries().isEmpty() ? 0 : 1;
    }
    assertThat(differently).isGreaterThan(ROUNDS / 10);
  }

  private static Page mixed(SplittableRandom random) {
    List<Entry> entries = new ArrayList<>();
    for (int i = random.nextInt(6); i >= 0; i--) {
      String text = NAMES[random.nextInt(NAMES.length)];
      Metadata metadata = random.nextBoolean() ? Metadata.NONE : Metadata.of(Map.of("k", text, text, ""));
      entries.add(random.nextInt(3) == 0
          ? directory(i)
          : junction(text, ADDRESSES[random.nextInt(ADDRESSES.length)], metadata));
    }
    return new Page(directory(0), entries, Optional.empty());
  }
}
