package io.rns.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.xml.XmlPull;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MetadataTest {
  @ParameterizedTest
  @ValueSource(strings = {
      "<a/>",
      "<a/><b>x</b><a/>",
      "<a xmlns=\"urn:d\"><b xmlns=\"\"><c/></b></a>",
      "<f:a xmlns:f=\"urn:f\" f:x=\"1&#xA;2&#xD;3&#x9;4 &quot;'&lt;&gt;&amp;\" y=\"\"/>",
      "<a>mixed <b>content</b> here</a>",
      "<a> \n\t&#xD; </a>",
      "<a><!-- c --><?p d?><?e?></a>",
      "<a xml:lang=\"de\">\u00e9\ud83d\ude00</a>",
      "<a xmlns:s=\"urn:s\" s:type=\"s:t\">s:u</a>",
      "<a b=\"xmlns:c\">xmlns:b xml:lang</a>",
      "<rnskv key=\"k\">v</rnskv>"
  })
  void isPreserved(String xml) {
    Metadata metadata = Metadata.parse(xml);

    assertThat(metadata.xml()).isEqualTo(xml);
    assertThat(metadata).hasToString(xml).isEqualTo(Metadata.stored(xml)).hasSameHashCodeAs(Metadata.parse(xml));
    assertThat(metadata.isEmpty()).isFalse();
  }

  @Test
  void onlyTheSpellingOfMarkupIsNormalised() {
    Metadata metadata = Metadata.parse("<a  b = '1' ></a ><![CDATA[]]><c><![CDATA[<x>]]>&#65;</c>");

    assertThat(metadata.xml()).isEqualTo("<a b=\"1\"/><c>&lt;x&gt;A</c>");
    assertThat(Metadata.parse(metadata.xml())).isEqualTo(metadata);
  }

  @Test
  void emptyMetadataIsNone() {
    assertThat(Metadata.parse("")).isSameAs(Metadata.NONE);
    assertThat(Metadata.stored("")).isSameAs(Metadata.NONE);
    assertThat(Metadata.of(Map.of())).isSameAs(Metadata.NONE);
    assertThat(Metadata.ofFragments(List.of())).isSameAs(Metadata.NONE);
    assertThat(Metadata.NONE.isEmpty()).isTrue();
    assertThat(Metadata.NONE.values()).isEmpty();
    assertThat(Metadata.NONE.xml()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"<a>", "</m><m>", "<a></b>", "&x;", "<!DOCTYPE a><a/>", "<a b='1' b='2'/>", "<p:a/>",
      "<?xml version='1.0'?><a/>"})
  void otherTextIsNotMetadata(String xml) {
    Refused.with(RnsError.MALFORMED_MESSAGE, () -> Metadata.parse(xml));
  }

  @Test
  void childrenOfAnElementAreRead() {
    try (XmlPull pull = XmlPull.document("<o xmlns:f='urn:f'><m> <f:a/> <b>f:q</b> </m><next/></o>")) {
      assertThat(pull.nextChild()).isTrue();
      Metadata metadata = Metadata.readChildren(pull);

      assertThat(metadata.xml()).isEqualTo("<f:a xmlns:f=\"urn:f\"/><b xmlns:f=\"urn:f\">f:q</b>");
      assertThat(pull.nextChild()).isTrue();
      assertThat(pull.localName()).isEqualTo("next");
    }
  }

  @Test
  void keysAndValuesHaveTheFormOfRenkei() {
    Map<String, String> values = new LinkedHashMap<>();
    values.put("owner", "Zo\u00eb & <co>");
    values.put("a \"key\"\n", "");

    Metadata metadata = Metadata.of(values);

    assertThat(metadata.xml())
        .isEqualTo("<rnskv key=\"owner\">Zo\u00eb &amp; &lt;co&gt;</rnskv><rnskv key=\"a &quot;key&quot;&#xA;\"/>");
    assertThat(metadata.values()).isEqualTo(values);
  }

  /** Both the text and its values come without a parser; another element makes the parser read them. */
  @Test
  void keysAndValuesAreWhatAParserReads() {
    Random random = new Random(11);
    String[] parts = {"a", "b", " ", "\n", "\t", "\r", "<", ">", "&", "\"", "'", ":", "xml:a", "xmlns:b", "/>", "]]>",
        "&amp;", "rnskv", "</rnskv>", "<rnskv key=\"", "=", "\u00e9", "\u0085", "\u2028", "\ud83d\ude00"};
    for (int round = 0; round < 2_000; round++) {
      Map<String, String> values = new LinkedHashMap<>();
      for (int i = random.nextInt(4); i >= 0; i--) {
        values.put(text(random, parts), text(random, parts));
      }
      Metadata metadata = Metadata.of(values);
      assertThat(Metadata.parse(metadata.xml())).isEqualTo(metadata);
      assertThat(metadata.values()).isEqualTo(values);
      assertThat(List.copyOf(metadata.values().keySet())).isEqualTo(List.copyOf(values.keySet()));
      assertThat(Metadata.parse(metadata.xml() + "<x/>").values()).isEqualTo(values);
      metadata.plainValues().ifPresent(plain -> assertThat(Metadata.of(plain)).isEqualTo(metadata));
    }
  }

  private static String text(Random random, String[] parts) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(4); i > 0; i--) {
      text.append(parts[random.nextInt(parts.length)]);
    }
    return text.toString();
  }

  @ParameterizedTest
  @ValueSource(strings = {
      "<rnskv key=\"a\">1", "<rnskv key=\"a\"", "<rnskv key=\"a", "<rnskv key=\"", "<rnskv", "<rnskv key=\"a\"/",
      "<rnskv key=\"a\">1</rnskv", "<rnskv key=\"a\"/><"})
  void storedTextThatIsBrokenIsRefused(String broken) {
    Metadata metadata = Metadata.stored(broken);
    assertThatThrownBy(metadata::values).isInstanceOf(RnsException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {
      "<rnskv key=\"a\">1</rnskv><rnskv key=\"a\">2</rnskv>", "<rnskv key=\"a\"></rnskv>",
      "<rnskv key=\"a\">&amp;</rnskv>", "<rnskv key=\"&amp;\"/>", "<rnskv key=\"a\" b=\"c\">1</rnskv>",
      "<rnskv key=\"a\">1</rnskv> ", "<rnskv key=\"a\">1<b/></rnskv>", "<x/>", "<rnskv/>"})
  void valuesAreNotPlainWhereTheTextIsAnother(String xml) {
    assertThat(Metadata.stored(xml).plainValues()).isEmpty();
  }

  @Test
  void otherElementsAreIgnored() {
    Metadata metadata =
        Metadata.parse(
            "<rnskv key='a'>1</rnskv><rnskv>no key</rnskv><f:rnskv xmlns:f='urn:f' key='f'>2</f:rnskv><rnskv xmlns:f='urn:f' f:key='g'>3</rnskv>"
                + "<rnskv key='nested'>x<b/></rnskv><rnskv key='c'><!-- <x/> -->4<![CDATA[<5>]]></rnskv><other><rnskv key='deep'>6</rnskv></other><rnskv key='a'>7</rnskv>");

    assertThat(metadata.values()).containsExactlyInAnyOrderEntriesOf(Map.of("a", "7", "c", "4<5>"));
  }

  @Test
  void aKeyWithChildElementsIsIgnored() {
    Metadata metadata =
        Metadata.parse("<rnskv key='a'><b/></rnskv><rnskv key='b'>x<c>y</c>z</rnskv><rnskv key='d'>1</rnskv>");

    assertThat(metadata.values()).isEqualTo(Map.of("d", "1"));
    assertThat(metadata.with(Map.of("a", "2")).values()).isEqualTo(Map.of("d", "1", "a", "2"));
  }

  @Test
  void settingKeysPreservesOtherElements() {
    Metadata metadata =
        Metadata.parse("<x/><rnskv key='a'>1</rnskv><rnskv key='b'>2</rnskv><f:y xmlns:f='urn:f'>f:q</f:y>");

    Metadata changed = metadata.with(Map.of("a", "3"));

    assertThat(changed.xml())
        .isEqualTo("<x/><rnskv key=\"b\">2</rnskv><f:y xmlns:f=\"urn:f\">f:q</f:y><rnskv key=\"a\">3</rnskv>");
    assertThat(metadata.with(Map.of())).isEqualTo(metadata);
    assertThat(Metadata.NONE.with(Map.of("k", "v"))).isEqualTo(Metadata.of(Map.of("k", "v")));
  }

  @Test
  void textThatXmlCannotRepresentIsRejected() {
    for (String text : new String[]{"\u0000", "a\u0001", "\u001f", "\ufffe", "\uffff", "\ud800", "a\udc00b",
        "\udc00\ud800"}) {
      Refused.with(RnsError.INVALID_REQUEST, () -> Metadata.of(Map.of("k", text)), "U+");
      Refused.with(RnsError.INVALID_REQUEST, () -> Metadata.of(Map.of(text, "v")), "U+");
    }
  }

  @Test
  void isBoundedInBytes() {
    int overhead = Metadata.of(Map.of("k", "v")).xml().length() - 1;
    String max = "v".repeat(Limits.METADATA_BYTES - overhead);

    assertThat(Metadata.of(Map.of("k", max)).xml()).hasSize(Limits.METADATA_BYTES);
    assertThat(Metadata.of(Map.of("k", max)).values()).containsEntry("k", max);
    assertThat(Metadata.of(Map.of("k", max.substring(1))).xml()).hasSize(Limits.METADATA_BYTES - 1);
    Refused.with(RnsError.LIMIT_EXCEEDED, () -> Metadata.of(Map.of("k", max + "v")), "262145 bytes", "limit is 262144");
    Refused.with(RnsError.LIMIT_EXCEEDED, () -> Metadata.of(Map.of("k", "\u00e9" + max.substring(1))), "262145 bytes");
    Refused.with(RnsError.LIMIT_EXCEEDED, () -> Metadata.of(Map.of("k", max)).with(Map.of("l", "")), "limit is 262144");
  }

  @Test
  void everyKeyAndValueSurvivesParsing() {
    List<String> parts =
        List.of("", "a", " ", "\n", "\r", "\t", "\r\n", "&", "<", ">", "\"", "'", "]]>", "\u0085", "\u2028",
            "\ud83d\ude00", "wsa:x");
    RandomCases.check(
        random -> {
          Map<String, String> values = new LinkedHashMap<>();
          for (long left = RandomCases.between(random, 0, 4); left > 0; left--) {
            values.put(RandomCases.joined(random, 0, 4, parts), RandomCases.joined(random, 0, 4, parts));
          }
          Metadata metadata = Metadata.of(values);

          assertThat(metadata.values()).isEqualTo(values);
          assertThat(Metadata.parse(metadata.xml())).isEqualTo(metadata);
        });
  }
}
