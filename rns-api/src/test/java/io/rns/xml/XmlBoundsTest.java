package io.rns.xml;

import static org.assertj.core.api.Assertions.assertThat;

import com.ctc.wstx.stax.WstxInputFactory;
import io.rns.api.Refused;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.ByteArrayInputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A message that costs more than its size is rejected, whichever part grows. */
class XmlBoundsTest {
  /** The number of names at the start of a message that are not counted. */
  private static final int FREE_NAMES = 1_024;

  private static void read(String document) {
    byte[] bytes = document.getBytes(StandardCharsets.UTF_8);
    try (XmlPull pull = XmlPull.document(bytes, bytes.length)) {
      pull.finish();
    }
  }

  private static void malformed(String document, String... facts) {
    Refused.with(RnsError.MALFORMED_MESSAGE, () -> read(document), facts);
  }

  private static void tooMuch(String document, String... facts) {
    Refused.with(RnsError.LIMIT_EXCEEDED, () -> read(document), facts);
  }

  private static String each(int count, Function<Integer, String> part) {
    return IntStream.range(0, count).mapToObj(part::apply).collect(Collectors.joining());
  }

  /** Names with equal hash codes for any seed: all strings that follow a common first letter. */
  private static List<String> colliding(int count) {
    List<String> names = List.of("x");
    while (names.size() < count) {
      List<String> longer = new ArrayList<>();
      names.forEach(name -> longer.addAll(List.of(name + "Aa", name + "BB")));
      names = longer;
    }
    return names.subList(0, count);
  }

  /** The places of freely chosen names in a message. */
  enum Place {
    ELEMENT("<%s/>"), ATTRIBUTE("<a %s='1'/>"), PREFIX("<a xmlns:%s='urn:n'/>"), INSTRUCTION("<?%s?>");

    private final String markup;

    Place(String markup) {
      this.markup = markup;
    }

    String with(String name) {
      return String.format(markup, name);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aHundredThousandNamesAreRefused(Place place) {
    tooMuch("<m>" + each(100_000, i -> place.with("name" + i)) + "</m>", "4097 different names", "limit is 4096");
  }

  @ParameterizedTest
  @EnumSource
  void collidingNamesAreRefused(Place place) {
    List<String> names = colliding(100_000);
    assertThat(names).extracting(String::hashCode).containsOnly(names.get(0).hashCode());

    tooMuch("<m>" + each(names.size(), i -> place.with(names.get(i))) + "</m>", "4097 different names");
  }

  @ParameterizedTest
  @EnumSource
  void namesAreBoundedInNumber(Place place) {
    // Besides an attribute and a prefix there is the name of an element.
    String head = "<m>" + "<a/>".repeat(FREE_NAMES - 1);
    int others = place == Place.ELEMENT || place == Place.INSTRUCTION ? 0 : 1;

    read(head + each(Limits.XML_NAMES - others - 1, i -> place.with("n" + i)) + "</m>");
    read(head + each(Limits.XML_NAMES - others, i -> place.with("n" + i)).repeat(2) + "</m>");
    tooMuch(head + each(Limits.XML_NAMES - others + 1, i -> place.with("n" + i)) + "</m>", "4097 different names");
  }

  @ParameterizedTest
  @EnumSource
  void namesAreBoundedInLength(Place place) {
    String max = "n".repeat(Limits.XML_NAME_CHARS);

    read("<m>" + place.with(max.substring(1)) + place.with(max) + "</m>");
    tooMuch("<m>" + place.with(max + "n") + "</m>", "name 'nnnn", "257 characters", "limit is 256");
  }

  @Test
  void textOfAnEntryMayHaveMoreNamesThanARequest() {
    String head = "<m>" + "<a/>".repeat(FREE_NAMES - 1);
    try (XmlPull pull = XmlPull.document(head + each(2 * Limits.XML_NAMES, i -> "<n" + i + "/>") + "</m>")) {
      pull.finish();
    }
    String more = head + each(2 * Limits.XML_NAMES + 1, i -> "<n" + i + "/>") + "</m>";
    Refused.with(
        RnsError.LIMIT_EXCEEDED,
        () -> {
          try (XmlPull pull = XmlPull.document(more)) {
            pull.finish();
          }
        },
        "8193 different names");
  }

  @Test
  void aPageOfEntriesMayHaveMoreNamesThanARequest() {
    byte[] most = ("<m>" + each(4 * Limits.XML_NAMES, i -> "<n" + i + "/>") + "</m>").getBytes(StandardCharsets.UTF_8);
    try (XmlPull pull = XmlPull.answer(new ByteArrayInputStream(most))) {
      pull.finish();
    }
    byte[] more = ("<m>" + each(FREE_NAMES + 4 * Limits.XML_NAMES + 1, i -> "<n" + i + "/>") + "</m>")
        .getBytes(StandardCharsets.UTF_8);
    Refused.with(
        RnsError.LIMIT_EXCEEDED,
        () -> {
          try (XmlPull pull = XmlPull.answer(new ByteArrayInputStream(more))) {
            pull.finish();
          }
        },
        "16385 different names");
  }

  /** Inspects the parser: otherwise only time and memory would show it. */
  @Test
  void namesDoNotOutliveTheirMessage() throws XMLStreamException {
    ParserFactory ours = new ParserFactory();
    WstxInputFactory anyone = new WstxInputFactory();
    int usual = names(ours);
    int shared = names(anyone);

    XMLStreamReader reader =
        ours.createXMLStreamReader(new StringReader("<m>" + each(500, i -> "<unheard" + i + "/>") + "</m>"));
    while (reader.hasNext()) {
      reader.next();
    }
    reader.close();

    assertThat(usual).isBetween(50, 120);
    assertThat(names(ours)).isEqualTo(usual);
    assertThat(names(anyone)).isEqualTo(shared);
  }

  @Test
  void namesOfOtherFactoriesAreNotShared() throws XMLStreamException {
    WstxInputFactory other = new WstxInputFactory();
    int usual = names(new ParserFactory());

    XMLStreamReader reader =
        other.createXMLStreamReader(new StringReader("<m>" + each(500, i -> "<theirs" + i + "/>") + "</m>"));
    while (reader.hasNext()) {
      reader.next();
    }
    reader.close();

    assertThat(names(new ParserFactory())).isEqualTo(usual);
  }

  private static int names(WstxInputFactory factory) {
    return factory.createPrivateConfig().getSymbols().size();
  }

  @ParameterizedTest
  @ValueSource(ints = {Limits.XML_DEPTH - 1, Limits.XML_DEPTH})
  void isReadUpToTheLimitOfDepth(int levels) {
    read("<a>".repeat(levels) + "</a>".repeat(levels));
    try (XmlPull pull = XmlPull.document("<a>".repeat(levels) + "</a>".repeat(levels))) {
      pull.finish();
    }
  }

  @Test
  void excessiveDepthIsRejected() {
    tooMuch("<a>".repeat(Limits.XML_DEPTH + 1), "65 levels", "limit is 64");
    tooMuch("<a>".repeat(1_000_000), "65 levels");
  }

  @Test
  void attributesOfAnElementAreBounded() {
    for (int count : new int[]{Limits.XML_ATTRIBUTES - 1, Limits.XML_ATTRIBUTES}) {
      read("<a" + each(count, i -> " a" + i + "='1'") + "/>");
      read("<a" + each(count, i -> " xmlns:a" + i + "='urn:a'") + "/>");
    }
    tooMuch("<a" + each(Limits.XML_ATTRIBUTES + 1, i -> " a" + i + "='1'") + "/>", "element 'a' has 129 attributes",
        "limit is 128");
    tooMuch("<a xmlns='urn:a' xmlns:b='urn:b'" + each(Limits.XML_ATTRIBUTES - 1, i -> " a" + i + "='1'") + "/>",
        "129 attributes");
    tooMuch("<a" + each(100_000, i -> " a" + i + "='1'") + "/>", "limit of the XML parser");
    tooMuch("<a" + each(100_000, i -> " xmlns:a" + i + "='urn:a'") + "/>", "limit of the XML parser");
    tooMuch("<a a='" + "v".repeat(1_000_000) + "'/>", "limit of the XML parser");
  }

  @Test
  void declarationsInScopeAreBounded() {
    String hundred = each(100, i -> " xmlns:p" + i + "='urn:p'");
    String most = ("<a" + hundred + ">").repeat(5);
    int left = Limits.XML_NAMESPACES - 500;
    String close = "</a>".repeat(5);

    for (int more : new int[]{left - 1, left}) {
      String leaf = "<b" + each(more, i -> " xmlns:q" + i + "='urn:q'") + "/>";
      read(most + leaf + leaf + close);
    }
    tooMuch(most + "<b" + each(left + 1, i -> " xmlns:q" + i + "='urn:q'") + "/>" + close, "513 namespace declarations",
        "limit is 512");
  }

  @ParameterizedTest
  @ValueSource(strings = {
      "<!DOCTYPE a><a/>",
      "<!DOCTYPE a SYSTEM 'http://127.0.0.1:1/x.dtd'><a/>",
      "<!DOCTYPE a [<!ENTITY e SYSTEM 'file:///etc/hostname'>]><a>&e;</a>",
      "<!DOCTYPE a [<!ENTITY % p SYSTEM 'http://127.0.0.1:1/'>%p;]><a/>",
      "<!DOCTYPE a [<!ENTITY e 'ha'>]><a b='&e;'/>",
      "<!DOCTYPE a [<!ATTLIST a b CDATA 'default'>]><a/>",
      "<!DOCTYPE a [ not even a declaration"
  })
  void aDocumentTypeIsRejectedUnread(String document) {
    malformed(document, "document type declaration (DTD) is refused");
    Refused.with(RnsError.MALFORMED_MESSAGE, () -> XmlPull.document(document).close(), "DTD");
  }

  @Test
  void anEntityBombIsRefused() {
    String laughs = each(30, i -> "<!ENTITY l" + (i + 1) + " '" + ("&l" + i + ";").repeat(10) + "'>");
    malformed("<!DOCTYPE a [<!ENTITY l0 'ha'>" + laughs + "]><a>&l30;</a>", "DTD");
  }

  @ParameterizedTest
  @ValueSource(strings = {"<a>&e;</a>", "<a b='&e;'/>", "<a b='x&nbsp;'/>", "<a>x &nbsp; y</a>", "<a>&#0;</a>",
      "<a>&#xD800;</a>", "<a>&#xFFFE;</a>", "<a b='&#1;'/>"})
  void entitiesAndInvalidCharacterReferencesAreRejected(String document) {
    malformed(document, "not well-formed");
  }

  @Test
  void predefinedEntitiesAreCharacters() {
    try (XmlPull pull =
        XmlPull.document("<a b='&lt;&gt;&amp;&quot;&apos;&#x41;'>&lt;&gt;&amp;&quot;&apos;&#65;&#x1F600;</a>")) {
      assertThat(pull.attribute("", "b")).isEqualTo("<>&\"'A");
      assertThat(pull.text()).isEqualTo("<>&\"'A\ud83d\ude00");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"<?xml version='1.1'?><a/>", "<?xml version='1.1' encoding='UTF-8'?><a>&#1;</a>",
      "<?xml version='1.1'?><!DOCTYPE a><a/>"})
  void xml11IsRefused(String document) {
    malformed(document, "XML 1.1");
  }

  @ParameterizedTest
  @ValueSource(strings = {
      "<a xmlns:p='urn:x' xmlns:q='urn:x' p:a='1' q:a='2'/>", "<a b='1' b='1'/>", "<p:a/>", "<a p:b='1'/>",
      "<a xmlns:p=''/>",
      "<a xmlns:xmlns='urn:x'/>", "<a xmlns:xml='urn:x'/>", "<a></b>", "<a/><b/>", "<a/>x", "<a><![CDATA[</a>",
      "<a>]]></a>", "<a b='<'/>",
      "<a b=c/>", "<?xml version='2.0'?><a/>", "<a><!-- -- --></a>", "<a><?xml ?></a>", "<a>\u0001</a>",
      "<a>\uffff</a>", "<a", "<a>", ""
  })
  void malformedXmlIsRejected(String document) {
    malformed(document);
  }

  @Test
  void invalidUtf8IsRejectedByEveryReader() {
    for (int[] bad : new int[][]{{0xff}, {0xc3, 0x28}, {0xc0, 0xaf}, {0xe0, 0x80, 0xaf}, {0xed, 0xa0, 0x80},
        {0xf4, 0x90, 0x80, 0x80}, {0xc3}}) {
      byte[] document = new byte[7 + bad.length];
      System.arraycopy("<a>".getBytes(StandardCharsets.US_ASCII), 0, document, 0, 3);
      for (int i = 0; i < bad.length; i++) {
        document[3 + i] = (byte) bad[i];
      }
      System.arraycopy("</a>".getBytes(StandardCharsets.US_ASCII), 0, document, 3 + bad.length, 4);
      List<Function<byte[], XmlPull>> ways =
          List.of(
              bytes -> XmlPull.document(bytes, bytes.length),
              bytes -> XmlPull.document(new ByteArrayInputStream(bytes)),
              bytes -> XmlPull.document(new ByteArrayInputStream(bytes), null),
              bytes -> XmlPull.answer(new ByteArrayInputStream(bytes)));
      for (Function<byte[], XmlPull> way : ways) {
        Refused.with(RnsError.MALFORMED_MESSAGE, () -> readText(way.apply(document)));
      }
    }
  }

  private static void readText(XmlPull document) {
    try (document) {
      throw new RnsException(RnsError.INTERNAL, "read as '" + document.text() + "'");
    }
  }
}
