package io.rns.xml;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.Refused;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import java.io.ByteArrayInputStream;
import java.io.StringReader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class XmlPullTest {
  /** A reader of another parser, as passed in by a SOAP stack. */
  private static XMLStreamReader foreign(String document) throws XMLStreamException {
    return XMLInputFactory.newDefaultFactory().createXMLStreamReader(new StringReader(document));
  }

  @Test
  void walksChildrenSkippingEverythingElse() {
    try (XmlPull pull = XmlPull.document(
        "<?pi?><!-- c --><a xmlns='urn:a'> text <b/><!-- c --><?pi?><p:c xmlns:p='urn:p'><d/></p:c>\n<e xmlns=''/> </a>")) {
      assertThat(pull.is("urn:a", "a")).isTrue();
      assertThat(pull.depth()).isEqualTo(1);
      assertThat(pull.nextChild()).isTrue();
      assertThat(pull.is("urn:a", "b")).isTrue();
      assertThat(pull.depth()).isEqualTo(2);
      assertThat(pull.nextChild()).isFalse();
      assertThat(pull.nextChild()).isTrue();
      assertThat(pull.is("urn:p", "c")).isTrue();
      assertThat(pull.is("urn:a", "c")).isFalse();
      pull.skip();
      assertThat(pull.nextChild()).isTrue();
      assertThat(pull.localName()).isEqualTo("e");
      assertThat(pull.namespace()).isEmpty();
      assertThat(pull.nextChild()).isFalse();
      assertThat(pull.nextChild()).isFalse();
      assertThat(pull.depth()).isZero();
      pull.finish();
    }
  }

  @Test
  void leavesFromAnyDepth() {
    try (XmlPull pull = XmlPull.document("<a><b><c><d/></c></b><e/></a>")) {
      pull.nextChild();
      pull.nextChild();
      pull.nextChild();
      pull.leave(2);
      assertThat(pull.nextChild()).isTrue();
      assertThat(pull.localName()).isEqualTo("e");
    }
  }

  @ParameterizedTest
  @CsvSource(quoteCharacter = '`', value = {"<a/>, ``", "<a></a>, ``", "<a>x</a>, x",
      "<a>x<!-- c -->y<?p d?>z</a>, xyz", "<a><![CDATA[<&]]>x&amp;&#x79;</a>, <&x&y", "<a> x </a>, ` x `"})
  void textIsAllCharacters(String document, String text) {
    try (XmlPull pull = XmlPull.document(document)) {
      assertThat(pull.text()).isEqualTo(text);
      pull.finish();
    }
    try (XmlPull pull = XmlPull.document(document)) {
      assertThat(pull.textWithoutChildren()).isEqualTo(text);
      pull.finish();
    }
  }

  @Test
  void attributesAreFoundInAnyOrderOnAnyElement() {
    try (XmlPull pull = XmlPull.document("<r><a k1='1' k2='2' k3='3'/><b k3='x'/><c/><d k2='y' k1='z'/></r>")) {
      pull.nextChild();
      for (String order : new String[]{"123", "321", "213", "2231"}) {
        order.chars().forEach(k -> assertThat(pull.attribute("", "k" + (char) k)).isEqualTo("" + (char) k));
        assertThat(pull.attribute("", "k4")).isNull();
      }
      pull.skip();
      pull.nextChild();
      assertThat(pull.attribute("", "k3")).isEqualTo("x");
      assertThat(pull.attribute("", "k1")).isNull();
      pull.skip();
      pull.nextChild();
      assertThat(pull.attribute("", "k3")).isNull();
      pull.skip();
      pull.nextChild();
      assertThat(pull.attribute("", "k1")).isEqualTo("z");
      assertThat(pull.attribute("", "k2")).isEqualTo("y");
    }
  }

  @Test
  void longTextIsWhole() {
    for (int length : new int[]{63, 64, 65, 3_999, 4_000, 4_001, 1_000_000}) {
      String text = "\u00e9".repeat(length);
      try (XmlPull pull = XmlPull.document("<a>" + text + "</a>")) {
        assertThat(pull.text()).isEqualTo(text);
      }
    }
  }

  @Test
  void anElementWhereTextIsExpectedIsNamed() {
    try (XmlPull pull = XmlPull.document("<a>x<b/></a>")) {
      Refused.with(RnsError.MALFORMED_MESSAGE, pull::text, "element 'b' found where text is expected");
    }
  }

  @Test
  void anElementWithChildrenHasNoTextAndIsSkipped() {
    try (XmlPull pull = XmlPull.document("<a><b>x<c><d/></c>y<e/></b><next/></a>")) {
      pull.nextChild();
      assertThat(pull.textWithoutChildren()).isNull();
      assertThat(pull.depth()).isEqualTo(1);
      assertThat(pull.nextChild()).isTrue();
      assertThat(pull.localName()).isEqualTo("next");
    }
  }

  @Test
  void anAttributeWithoutANamespaceIsNotOneWithANamespace() throws XMLStreamException {
    String document = "<a xmlns:p='urn:p' xmlns:q='urn:q' p:k='1' q:k='2' p:only='3'/>";
    for (XMLStreamReader reader : new XMLStreamReader[]{foreign(document),
        new ParserFactory().createXMLStreamReader(new StringReader(document))}) {
      try (XmlPull pull = XmlPull.at(reader, 1)) {
        assertThat(pull.attribute("", "k")).isNull();
        assertThat(pull.attribute("", "only")).isNull();
        assertThat(pull.attribute("urn:p", "k")).isEqualTo("1");
        assertThat(pull.attribute("urn:q", "k")).isEqualTo("2");
        assertThat(pull.attribute("urn:q", "only")).isNull();
      }
    }
    try (XmlPull pull = XmlPull.document("<a xmlns='urn:p' xmlns:p='urn:p' p:k='1' k='2'/>")) {
      assertThat(pull.attribute("", "k")).isEqualTo("2");
      assertThat(pull.attribute("urn:p", "k")).isEqualTo("1");
    }
  }

  @ParameterizedTest
  @CsvSource({"true, true", "1, true", "' true ', true", "false, false", "0, false", "yes, false"})
  void nilHasTwoForms(String value, boolean nil) {
    try (XmlPull pull =
        XmlPull.document("<a xmlns:i='http://www.w3.org/2001/XMLSchema-instance' i:nil='" + value + "'/>")) {
      assertThat(pull.isNil()).isEqualTo(nil);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-8", "UTF-16", "UTF-16LE", "ISO-8859-1"})
  void otherEncodingsAreRead(String encoding) {
    String document = "<?xml version='1.0' encoding='" + encoding + "'?><a>\u00e9</a>";
    byte[] bytes = document.getBytes(Charset.forName(encoding));
    try (XmlPull declared = XmlPull.document(new ByteArrayInputStream(bytes), encoding);
        XmlPull found = XmlPull.document(new ByteArrayInputStream(bytes), null)) {
      assertThat(declared.text()).isEqualTo("\u00e9");
      assertThat(found.text()).isEqualTo("\u00e9");
    }
  }

  @Test
  void onlyTheGivenBytesCount() {
    byte[] bytes = "<a>x</a>trailing".getBytes(StandardCharsets.UTF_8);
    try (XmlPull pull = XmlPull.document(bytes, 8)) {
      assertThat(pull.text()).isEqualTo("x");
      pull.finish();
    }
  }

  @Test
  void malformedContentIsDetectedWhenSkipped() {
    for (String bad : new String[]{"&e;", "\u0001", "]]>", "<b></c>", "<b"}) {
      try (XmlPull pull = XmlPull.document("<a><s>" + bad + "</s></a>")) {
        pull.nextChild();
        Refused.with(RnsError.MALFORMED_MESSAGE, pull::skip);
      }
    }
    try (XmlPull pull = XmlPull.document("<a/><b/>")) {
      Refused.with(RnsError.MALFORMED_MESSAGE, pull::finish);
    }
  }

  @Test
  void continuesFromAnotherReader() throws XMLStreamException {
    XMLStreamReader atStart = foreign("<a><b>x</b></a>");
    atStart.nextTag();
    atStart.nextTag();
    try (XmlPull pull = XmlPull.at(atStart, 5)) {
      assertThat(pull.localName()).isEqualTo("b");
      assertThat(pull.depth()).isEqualTo(5);
      assertThat(pull.text()).isEqualTo("x");
      assertThat(pull.depth()).isEqualTo(4);
    }
    try (XmlPull pull = XmlPull.at(foreign("<a><b/></a>"), 3)) {
      assertThat(pull.localName()).isEqualTo("a");
      assertThat(pull.depth()).isEqualTo(3);
    }
  }

  @Test
  void boundsHoldForOtherReaders() throws XMLStreamException {
    try (XmlPull pull = XmlPull.at(foreign("<a><b><c/></b></a>"), Limits.XML_DEPTH - 1)) {
      assertThat(pull.nextChild()).isTrue();
      Refused.with(RnsError.LIMIT_EXCEEDED, pull::nextChild, "65 levels");
    }
    XMLStreamReader deep = foreign("<a/>");
    deep.nextTag();
    Refused.with(RnsError.LIMIT_EXCEEDED, () -> XmlPull.at(deep, Limits.XML_DEPTH + 1), "65 levels");
    try (XmlPull pull = XmlPull.at(foreign("<a>&#0;</a>"), 1)) {
      Refused.with(RnsError.MALFORMED_MESSAGE, pull::text);
    }
  }

  @Test
  void manyThreadsReadAtOnce() {
    long right =
        IntStream.range(0, 2_000)
            .parallel()
            .filter(
                i -> {
                  try (XmlPull pull = XmlPull
                      .document("<own" + i + " own" + i + "='" + i + "'><Address>" + i + "</Address></own" + i + ">")) {
                    boolean named =
                        pull.localName().equals("own" + i) && String.valueOf(i).equals(pull.attribute("", "own" + i));
                    return pull.nextChild() && pull.is("", "Address") && named && pull.text().equals(String.valueOf(i));
                  }
                })
            .count();
    assertThat(right).isEqualTo(2_000);
  }
}
