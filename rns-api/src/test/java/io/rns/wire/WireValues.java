package io.rns.wire;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.Cursor;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.Entry.Binding;
import io.rns.api.Entry.Junction;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.ListRequest;
import io.rns.api.Metadata;
import io.rns.api.NamePattern;
import io.rns.api.Outcome;
import io.rns.api.Page;
import io.rns.api.Position;
import io.rns.api.Precondition;
import io.rns.api.QueryRequest;
import io.rns.api.Refusal;
import io.rns.api.RemoveRequest;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.RequestId;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.error.RnsError;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;

/** Random values, each generated from its seed, biased towards values that break messages. */
public final class WireValues {
  private static final String[] ATOMS = {
      "a", "Z", "0", " ", "&", "<", ">", "\"", "'", "]]>", "<!--", "?>", ":", "_r:x", "soap:Body", "xsi:type", "é", "ß",
      "語", "😀",
      "\u00a0", "\u2028", "\ufeff", "\ufffd", "{}", "%00", "\\", "*", "[a-z]", "&#0;", "&amp;", ".", "-", "=", "~"
  };
  private static final String[] FRAGMENTS = {
      "<rnskv key=\"k&quot;&lt;\">v&amp;&#xD;&#xA;\t</rnskv>",
      "<m:a xmlns:m=\"urn:m\" m:b=\"1\" c=\"2&#x9;&#xA;\"><!-- c --><m:d/>mixed<?pi data?>]]&gt;</m:a>",
      "<d xmlns=\"urn:default\"><e xmlns=\"\"/><f>soap:x _r:y</f></d>",
      "<q:t xmlns:q=\"urn:q\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:type=\"q:type\">q:value</q:t>",
      "<_r:entry_name xmlns:_r=\"" + Namespaces.RNS + "\">not a name</_r:entry_name>",
      "<_x:metadata xmlns:_x=\"" + Namespaces.EXT
          + "\"><deep><deeper xml:lang=\"de\">ü 😀</deeper></deep></_x:metadata>",
      "<x/>"
  };

  private final Random random;

  public WireValues(long seed) {
    random = new Random(seed);
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  private <T> List<T> many(int least, int most, Supplier<T> one) {
    List<T> list = new ArrayList<>();
    int count = least + random.nextInt(most - least + 1);
    for (int i = 0; i < count; i++) {
      list.add(one.get());
    }
    return list;
  }

  private <T> Optional<T> maybe(Supplier<T> one) {
    return chance(50) ? Optional.of(one.get()) : Optional.empty();
  }

  String text() {
    return String.join("", many(1, 6, () -> ATOMS[random.nextInt(ATOMS.length)]));
  }

  EntryName name() {
    String text = text().replace('/', '_');
    return EntryName.of(text.equals(".") || text.equals("..") ? "dot" : text);
  }

  RnsPath path(int least) {
    return RnsPath.of(many(least, 4, this::name));
  }

  EntryId id() {
    return chance(30) ? EntryId.ROOT : new EntryId(1 + (random.nextLong() >>> 1) % (Long.MAX_VALUE - 1));
  }

  Target target(int least) {
    return new Target(id(), path(least));
  }

  public EndpointReference reference() {
    if (chance(40)) {
      return EndpointReference.ofAddress("http://host/a?b=c&d=<e>" + random.nextInt(1000));
    }
    StringBuilder xml = new StringBuilder();
    xml.append("<p:X xmlns:p=\"urn:p\" xmlns:wsa=\"").append(Namespaces.WSA).append('"');
    xml.append(chance(30) ? " p:attr=\"a&amp;b\" wsa:other=\"1\"" : "").append(">");
    xml.append("<wsa:Address").append(chance(30) ? " p:hint=\"x\"" : "").append(">http://host/")
        .append(random.nextInt(1000));
    xml.append("</wsa:Address>");
    if (chance(50)) {
      xml.append("<wsa:ReferenceParameters>").append(fragment())
          .append("<p:Id>p:value</p:Id></wsa:ReferenceParameters>");
    }
    if (chance(50)) {
      xml.append("<wsa:Metadata>").append(fragment()).append(fragment()).append("</wsa:Metadata>");
    }
    return EndpointReference.parse(xml.append("</p:X>").toString());
  }

  private String fragment() {
    return FRAGMENTS[random.nextInt(FRAGMENTS.length)];
  }

  Metadata metadata() {
    return Metadata.parse(String.join("", many(0, 3, this::fragment)));
  }

  private Precondition ifVersion(Precondition otherwise) {
    return chance(30) ? Precondition.ifVersion(1 + random.nextInt(1_000_000)) : otherwise;
  }

  public AddRequest addRequest() {
    return new AddRequest(many(1, 4, this::newEntry), chance(30), chance(30));
  }

  private NewEntry newEntry() {
    Precondition precondition = ifVersion(chance(50) ? Precondition.IF_ABSENT : Precondition.NONE);
    return new NewEntry(target(1), many(0, 3, this::reference), metadata(), precondition);
  }

  public QueryRequest queryRequest() {
    return new QueryRequest(many(1, 4, () -> target(0)), chance(30));
  }

  public UpdateRequest updateRequest() {
    return new UpdateRequest(many(1, 4, this::change), chance(30));
  }

  private EntryChange change() {
    return new EntryChange(
        target(0),
        Optional.of(name()),
        maybe(() -> target(0)),
        maybe(() -> many(1, 3, this::reference)),
        maybe(this::metadata),
        ifVersion(Precondition.NONE));
  }

  public RemoveRequest removeRequest() {
    return new RemoveRequest(
        many(1, 4, () -> new Removal(target(0), chance(50), ifVersion(Precondition.NONE))), chance(30));
  }

  public ListRequest listRequest() {
    Optional<NamePattern> pattern =
        maybe(() -> chance(50) ? NamePattern.glob("a*" + text()) : NamePattern.regex("[^a\\n]+&<.*"));
    return new ListRequest(target(0), 1 + random.nextInt(10_000), maybe(this::cursor), pattern);
  }

  Cursor cursor() {
    return new Cursor(id(), name());
  }

  public Position position() {
    return new Position(random.nextInt(32_768), random.nextInt(1_000), random.nextLong() >>> 1);
  }

  public RequestId requestId() {
    return chance(50) ? RequestId.random() : new RequestId("<&\"'>~!]]>" + random.nextInt());
  }

  private Instant instant() {
    long micros = random.nextLong() >>> 12;
    return chance(10) ? Instant.EPOCH : Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }

  public Entry entry() {
    if (chance(50)) {
      return directory();
    }
    return new Junction(
        new Binding(id(), name()), notRoot(), random.nextLong() >>> 1, instant(), instant(), metadata(),
        many(1, 3, this::reference));
  }

  private EntryId notRoot() {
    return new EntryId(2 + random.nextInt(1_000_000));
  }

  VirtualDirectory directory() {
    boolean root = chance(10);
    return new VirtualDirectory(
        root ? null : new Binding(id(), name()), root ? EntryId.ROOT : notRoot(), random.nextLong() >>> 1, instant(),
        instant(),
        metadata(), chance(50) ? -1 : random.nextInt(1_000));
  }

  public Page page() {
    return new Page(directory(), many(0, 4, this::entry), maybe(this::cursor));
  }

  public Outcome<Entry> outcome() {
    return chance(60) ? Outcome.done(entry()) : Outcome.refused(refusal());
  }

  Refusal refusal() {
    Target target = target(0);
    return switch (random.nextInt(11)) {
      case 0 -> new Refusal.NoSuchEntry(target, random.nextInt(target.path().depth() + 1));
      case 1 -> new Refusal.EntryExists(target, target(0));
      case 2 -> new Refusal.NotDirectory(target, random.nextInt(target.path().depth() + 1));
      case 3 -> new Refusal.IsDirectory(target);
      case 4 -> new Refusal.NotEmpty(target, random.nextInt(1_000));
      case 5 -> new Refusal.VersionMismatch(target, random.nextInt(100), random.nextInt(100));
      case 6 -> new Refusal.MoveIntoSelf(target, target(0));
      case 7 -> new Refusal.RootIsFixed(target);
      case 8 -> new Refusal.NotApplied(target);
      case 9 ->
        new Refusal.Delegated(target, random.nextInt(target.path().depth() + 1),
            random.nextInt(Position.MAX_GROUP + 1), new EntryId(1 + random.nextInt(1_000)));
      default ->
        new Refusal.Invalid(target, chance(50) ? RnsError.INVALID_NAME : RnsError.NO_SUCH_ENTRY, "because " + text());
    };
  }
}
