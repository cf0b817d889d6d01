package io.rns.xml;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.Refused;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An element extracted from a message keeps its meaning, and its text survives parsing unchanged. */
class XmlFragmentTest {
  /** The first child of a document's root, which must survive parsing. */
  private static String fragment(String document) {
    try (XmlPull pull = XmlPull.document(document)) {
      assertThat(pull.nextChild()).isTrue();
      String fragment = pull.fragment();
      assertThat(pull.depth()).isEqualTo(1);
      try (XmlPull again = XmlPull.document(fragment)) {
        assertThat(again.fragment()).isEqualTo(fragment);
      }
      return fragment;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {
      "<a/>",
      "<a b=\"1\" c=\" 2 \">text<b/> more </a>",
      "<a><!-- c --><?p d?><?e?></a>",
      "<a>&lt;&amp;&gt;&#xD;\n\t\"'</a>",
      "<a b=\"&#xA;&#x9;&#xD;&quot;'&lt;&gt;&amp;\"/>",
      "<p:a xmlns:p=\"urn:p\"><p:b p:c=\"1\"/></p:a>",
      "<a xmlns=\"urn:d\"><b xmlns=\"\"><c/></b></a>",
      "<a xml:lang=\"en\"/>",
      "<a>\u00e9\ud83d\ude00</a>"
  })
  void isPreserved(String element) {
    assertThat(fragment("<o>" + element + "</o>")).isEqualTo(element);
  }

  @ParameterizedTest
  @CsvSource(delimiterString = " => ", value = {
      "<p:a/> => <p:a xmlns:p=\"urn:p\"/>",
      "<a p:b=\"1\"/> => <a xmlns:p=\"urn:p\" p:b=\"1\"/>",
      "<a><b><p:c/></b></a> => <a xmlns:p=\"urn:p\"><b><p:c/></b></a>",
      "<a>p:x</a> => <a xmlns:p=\"urn:p\">p:x</a>",
      "<a b=\"x p:y\"/> => <a xmlns:p=\"urn:p\" b=\"x p:y\"/>",
      "<a><p:b xmlns:p=\"urn:2\"/></a> => <a><p:b xmlns:p=\"urn:2\"/></a>",
      "<a><b xmlns:p=\"urn:2\">p:x</b>p:y</a> => <a xmlns:p=\"urn:p\"><b xmlns:p=\"urn:2\">p:x</b>p:y</a>",
      "<a>p: :p p : x q:y http://h _p:x</a> => <a>p: :p p : x q:y http://h _p:x</a>",
      "<q:a xmlns:q=\"urn:q\" i:type=\"p:t\"/> => <q:a xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\" xmlns:p=\"urn:p\" xmlns:q=\"urn:q\" i:type=\"p:t\"/>"
  })
  void inheritsTheDeclarationsItUses(String element, String fragment) {
    String outer = "<o xmlns:p='urn:p' xmlns:_p='urn:ours' xmlns:i='http://www.w3.org/2001/XMLSchema-instance'>";
    assertThat(fragment(outer + element + "</o>")).isEqualTo(fragment);
  }

  @Test
  void anUnprefixedTypeUsesTheDefaultNamespace() {
    String xsi = "http://www.w3.org/2001/XMLSchema-instance";
    assertThat(fragment("<o xmlns='urn:d' xmlns:p='urn:p'><p:a xmlns:i='" + xsi + "' i:type='t'/></o>"))
        .contains(" xmlns=\"urn:d\"");
    assertThat(fragment("<o xmlns='urn:d' xmlns:p='urn:p'><p:a type='t'>t</p:a></o>")).doesNotContain("urn:d");
    assertThat(fragment("<o xmlns:p='urn:p'><p:a xmlns:i='" + xsi + "' i:type='t'/></o>")).doesNotContain("xmlns=");
  }

  @Test
  void thePrefixOfTheEnvelopeIsNotInherited() {
    for (String soap : new String[]{"http://schemas.xmlsoap.org/soap/envelope/",
        "http://www.w3.org/2003/05/soap-envelope"}) {
      assertThat(fragment("<s:o xmlns:s='" + soap + "'><a>s:x</a></s:o>")).isEqualTo("<a>s:x</a>");
    }
  }

  @Test
  void aPrefixSplitByTheParserIsDetected() {
    String outer = "<o xmlns:prefix='urn:p'><a>";
    for (int before = 3_900; before < 4_100; before++) {
      String text = "x".repeat(before) + " prefix:name";
      assertThat(fragment(outer + text + "</a></o>")).isEqualTo("<a xmlns:prefix=\"urn:p\">" + text + "</a>");
    }
    for (String text : new String[]{
        "pre<![CDATA[fix:name]]>", "prefix:<![CDATA[name]]>", "prefix<![CDATA[:]]>name",
        "<![CDATA[p]]><![CDATA[r]]><![CDATA[e]]>fix&#58;name", "pr<!-- c -->efix:n"
    }) {
      assertThat(fragment(outer + text + "</a></o>")).startsWith("<a xmlns:prefix=\"urn:p\">");
    }
    for (String text : new String[]{"pre<b/>fix:name", "<b>pre</b>fix:name", "prefix<b/>:name",
        "prefix <![CDATA[:name]]>"}) {
      assertThat(fragment(outer + text + "</a></o>")).startsWith("<a>");
    }
  }

  @Test
  void theLongestPrefixSplitByTheParserIsDetected() {
    String prefix = "p".repeat(Limits.XML_NAME_CHARS);
    String outer = "<o xmlns:" + prefix + "='urn:p'><a>";
    assertThat(fragment(outer + prefix + ":<![CDATA[name]]></a></o>")).startsWith("<a xmlns:" + prefix + "=");
    assertThat(fragment(outer + "x" + prefix + ":<![CDATA[name]]></a></o>")).startsWith("<a>");
  }

  @Test
  void theTextOfTheElementIsReturnedToo() {
    StringBuilder text = new StringBuilder();
    try (XmlPull pull = XmlPull.document("<a>x<b>no</b><![CDATA[<y>]]><!-- c --></a>")) {
      assertThat(pull.fragment(text)).isEqualTo("<a>x<b>no</b>&lt;y&gt;<!-- c --></a>");
    }
    assertThat(text).hasToString("x<y>");
  }

  @Test
  void fragmentsThatCannotBeParsedAgainAreRejected() {
    String outer =
        "<o" + IntStream.range(0, 120).mapToObj(i -> " xmlns:p" + i + "='urn:p'").collect(Collectors.joining())
            + "><a q='"
            + IntStream.range(0, 120).mapToObj(i -> "p" + i + ":x").collect(Collectors.joining(" ")) + "'";
    String seven = IntStream.range(0, 7).mapToObj(i -> " r" + i + "='1'").collect(Collectors.joining());

    assertThat(fragment(outer + seven + "/></o>")).contains(" xmlns:p119=");
    Refused.with(RnsError.LIMIT_EXCEEDED, () -> fragment(outer + seven + " s='1'/></o>"),
        "element 'a' has 129 attributes");
  }

  @Test
  void foreignAttributesAreThoseWithANamespace() {
    try (XmlPull pull = XmlPull.document(
        "<a xmlns:p='urn:p' xmlns:i='http://www.w3.org/2001/XMLSchema-instance' k='1' p:k='2' i:nil='true'/>")) {
      assertThat(pull.foreignAttributes()).isEqualTo(" xmlns:p=\"urn:p\" p:k=\"2\"");
    }
    try (XmlPull pull = XmlPull.document("<a k='1'/>")) {
      assertThat(pull.foreignAttributes()).isEmpty();
    }
  }
}
