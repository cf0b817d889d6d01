package io.rns.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EndpointReferenceTest {
  private static final String W = " xmlns:w='" + EndpointReference.WSA + "'";
  private static final String ADDRESS = "<w:Address>urn:a</w:Address>";

  /** Parses a reference and checks that its text survives byte for byte, both alone and inside a message. */
  private static EndpointReference kept(String xml) {
    EndpointReference reference = EndpointReference.parse(xml);
    EndpointReference again = EndpointReference.parse(reference.xml());
    assertThat(again).isEqualTo(reference).hasSameHashCodeAs(reference);
    assertThat(again.xml()).isEqualTo(reference.xml());
    assertThat(throughAMessage(reference)).isEqualTo(reference);
    return reference;
  }

  private static EndpointReference throughAMessage(EndpointReference reference) {
    XmlBuffer message = new XmlBuffer(100).raw("<_m:message xmlns:_m='urn:message' xmlns:_r='urn:other'>");
    reference.writeTo(message, "_r:reference");
    message.raw("</_m:message>");
    try (XmlPull pull = XmlPull.document(message.toByteArray(), message.length())) {
      assertThat(pull.nextChild()).isTrue();
      assertThat(pull.is("urn:other", "reference")).isTrue();
      EndpointReference read = EndpointReference.read(pull);
      assertThat(pull.nextChild()).isFalse();
      return read;
    }
  }

  @Test
  void anAddressIsAReference() {
    EndpointReference reference = EndpointReference.ofAddress("http://example.org/?a=1&b=<2>\"'#\u00e9\ud83d\ude00");

    assertThat(reference.address()).isEqualTo("http://example.org/?a=1&b=<2>\"'#\u00e9\ud83d\ude00");
    assertThat(kept(reference.xml())).isEqualTo(reference).hasToString(reference.xml());
    assertThat(reference.attributes()).isEmpty();
    assertThat(EndpointReference.stored(reference.address(), reference.attributes(), reference.content()))
        .isEqualTo(reference);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a b", "a\n", "\u0000", "a\u007f", "a\u0085", "a\ufffe", "a\uffff"})
  void otherTextIsNotAnAddress(String address) {
    Refused.with(RnsError.INVALID_REQUEST, () -> EndpointReference.ofAddress(address), "endpoint address");
  }

  @Test
  void anUnpairedSurrogateIsNotAnAddress() {
    Refused.with(RnsError.INVALID_REQUEST, () -> EndpointReference.ofAddress("urn:\ud800"), "'urn:\ufffd'");
    Refused.with(RnsError.INVALID_REQUEST, () -> EndpointReference.ofAddress("\udc00urn"), "endpoint address");
  }

  @ParameterizedTest
  @ValueSource(strings = {
      "<w:Metadata>text <f:x xmlns:f='urn:f' f:a='1'>more</f:x> and <![CDATA[<more>]]></w:Metadata>",
      "<w:ReferenceParameters><!-- comment --><?target some data?><?empty?></w:ReferenceParameters>",
      "<x/><y xmlns='urn:d'><z xmlns=''><u/></z></y>",
      "<f:x xmlns:f='urn:f' f:a=' 1&#10;2&#13;3&#9;4 &quot;&apos;&lt;&gt;&amp; '/>",
      "<x xml:lang='de' xml:space='preserve'> \u00e9 \ud83d\ude00 &#13;\n\t </x>",
      "<x xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xmlns:s='urn:s' xsi:type='s:t'>s:u</x>",
      "<x xmlns:a='urn:1'><a:b xmlns:a='urn:2'>a:c</a:b><a:d/></x>",
      "<x>wsa:text http://h/ 12:30 _r:text _m:text w:text :x x: ::</x>",
      "<x>]]&gt;</x>",
      "<x a='1' b='2' c='3'/>"
  })
  void everyChildIsPreserved(String child) {
    EndpointReference reference = kept("<e" + W + ">" + ADDRESS + child + "</e>");

    assertThat(reference.address()).isEqualTo("urn:a");
  }

  @Test
  void childrenArePreservedSelfContained() {
    String outer =
        "<o" + W + " xmlns='urn:default' xmlns:f='urn:f' xmlns:g='urn:g' xmlns:unused='urn:unused'><e>"
            + ADDRESS + "<x f:a='1'>g:qname</x></e></o>";
    try (XmlPull pull = XmlPull.document(outer)) {
      assertThat(pull.nextChild()).isTrue();
      EndpointReference reference = EndpointReference.read(pull);

      assertThat(reference.content())
          .isEqualTo(
              "<w:Address xmlns:w=\"" + EndpointReference.WSA + "\">urn:a</w:Address>"
                  + "<x xmlns=\"urn:default\" xmlns:f=\"urn:f\" xmlns:g=\"urn:g\" f:a=\"1\">g:qname</x>");
      assertThat(kept(reference.xml())).isEqualTo(reference);
    }
  }

  @Test
  void foreignAttributesKeepTheDeclarationsTheirValuesUse() {
    EndpointReference reference =
        kept("<e" + W + " xmlns:f='urn:f' xmlns:g='urn:g' own='x' f:a='g:q &amp; \"' xml:lang='de' f:b='2'>" + ADDRESS
            + "</e>");

    assertThat(reference.attributes())
        .isEqualTo(" xmlns:f=\"urn:f\" xmlns:g=\"urn:g\" f:a=\"g:q &amp; &quot;\" xml:lang=\"de\" f:b=\"2\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {
      " xmlns:wsa='urn:other' wsa:a='1'", " xmlns:wsa='http://www.w3.org/2005/08/addressing' wsa:a='1'",
      " xmlns:f='urn:f' f:a='wsa:b wsa1:c'",
      " xmlns:_r='urn:mine' _r:a='1' _r:b='2'", " xmlns:_r='urn:mine' xmlns:n_r='urn:too' _r:a='1' n_r:a='2'",
      " xmlns:_='urn:mine' _:a='1'"
  })
  void attributesDoNotCollideWithThePrefixesOfTheMessage(String attributes) {
    EndpointReference reference = kept("<e" + W + attributes + ">" + ADDRESS + "</e>");

    assertThat(reference.attributes()).isNotEmpty().doesNotContain(" _");
  }

  @Test
  void theXmlIsWellFormedWhereItsPrefixIsBoundElsewhere() {
    EndpointReference reference =
        kept("<e" + W + " xmlns:wsa='urn:other' wsa:a='1'>" + ADDRESS + "<wsa:x>wsa:y</wsa:x></e>");

    assertThat(reference.attributes()).isEqualTo(" xmlns:wsa=\"urn:other\" wsa:a=\"1\"");
    assertThat(reference.content()).endsWith("<wsa:x xmlns:wsa=\"urn:other\">wsa:y</wsa:x>");
  }

  @Test
  void textThatLooksLikeAPrefixOfOursStaysText() {
    EndpointReference reference = kept("<e" + W + ">" + ADDRESS + "<x>wsa:Port wsa1:Port</x></e>");

    assertThat(reference.content()).endsWith("<x>wsa:Port wsa1:Port</x>");
    assertThat(reference.xml()).startsWith("<wsa2:EndpointReference");
  }

  @Test
  void theFirstAddressIsUsedWithoutWhiteSpace() {
    EndpointReference reference =
        kept("<e" + W + "><x/><w:Address>\n  urn:<!-- c -->a </w:Address><w:Address>urn:b</w:Address></e>");

    assertThat(reference.address()).isEqualTo("urn:a");
    assertThat(reference.content()).contains("\n  urn:<!-- c -->a ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "<x/>", "<Address>urn:a</Address>", "<w:Address/>", "<w:Address> </w:Address>",
      "<w:Address>a b</w:Address>"})
  void anAddressIsRequired(String content) {
    Refused.with(RnsError.INVALID_REQUEST, () -> EndpointReference.parse("<e" + W + ">" + content + "</e>"),
        "endpoint");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "urn:a", "<e>",
      "<e><a:Address xmlns:a='http://www.w3.org/2005/08/addressing'>urn:a</a:Address></e><e/>", "<!DOCTYPE e><e/>",
      "<e>&x;</e>"})
  void otherTextIsNotAReference(String xml) {
    Refused.with(RnsError.MALFORMED_MESSAGE, () -> EndpointReference.parse(xml));
  }

  @Test
  void isBoundedInBytes() {
    int overhead = EndpointReference.ofAddress("u").content().length() - 1;
    String max = "u".repeat(Limits.EPR_BYTES - overhead);

    assertThat(kept(EndpointReference.ofAddress(max).xml()).address()).isEqualTo(max);
    assertThat(EndpointReference.ofAddress(max.substring(1)).content()).hasSize(Limits.EPR_BYTES - 1);
    Refused.with(RnsError.LIMIT_EXCEEDED, () -> EndpointReference.ofAddress(max + "u"), "65537 bytes",
        "limit is 65536");
    Refused.with(RnsError.LIMIT_EXCEEDED, () -> EndpointReference.ofAddress("\u00e9" + max.substring(1)),
        "65537 bytes");
    // A shorter prefix, three times, and another element.
    String parsed = "<e" + W + "><w:Address>" + max + "uu</w:Address><x/></e>";
    assertThat(kept(parsed).content()).hasSize(Limits.EPR_BYTES);
    Refused.with(RnsError.LIMIT_EXCEEDED, () -> EndpointReference.parse(parsed.replace("uu<", "uuu<")), "65537",
        "limit is 65536");
  }

  @Test
  void attributesThatCannotBeParsedAgainAreRejected() {
    StringBuilder most = new StringBuilder();
    for (int i = 0; i < Limits.XML_ATTRIBUTES - 3; i++) {
      most.append(" f:a").append(i).append("='1'");
    }
    String outer = "<o" + W + " xmlns:f='urn:f' xmlns:g='urn:g'><e" + most;

    try (XmlPull pull = XmlPull.document(outer + " f:last='x'>" + ADDRESS + "</e></o>")) {
      assertThat(pull.nextChild()).isTrue();
      EndpointReference reference = EndpointReference.read(pull);
      assertThat(EndpointReference.parse(reference.xml())).isEqualTo(reference);
    }
    try (XmlPull pull = XmlPull.document(outer + " f:last='g:x'>" + ADDRESS + "</e></o>")) {
      assertThat(pull.nextChild()).isTrue();
      Refused.with(RnsError.LIMIT_EXCEEDED, () -> EndpointReference.read(pull), "128 attributes", "limit is 127");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://schemas.ogf.org/naming/2006/08/naming",
      "http://schemas.ggf.org/naming/2006/03/naming"})
  void theEndpointIdentifierIsFound(String namespace) {
    String identifier = "<n:EndpointIdentifier xmlns:n='" + namespace + "'> urn:uuid:1 </n:EndpointIdentifier>";
    EndpointReference reference =
        kept("<e" + W + ">" + ADDRESS + "<w:ReferenceParameters/><w:Metadata><x/>" + identifier + "</w:Metadata></e>");

    assertThat(reference.endpointIdentifier()).contains("urn:uuid:1");
  }

  @ParameterizedTest
  @ValueSource(strings = {
      "", "<w:Metadata/>", "<w:Metadata><EndpointIdentifier>x</EndpointIdentifier></w:Metadata>",
      "<n:EndpointIdentifier xmlns:n='http://schemas.ogf.org/naming/2006/08/naming'>x</n:EndpointIdentifier>",
      "<w:Metadata><x><n:EndpointIdentifier xmlns:n='http://schemas.ogf.org/naming/2006/08/naming'>x</n:EndpointIdentifier></x></w:Metadata>"
  })
  void otherElementsAreNotEndpointIdentifiers(String content) {
    assertThat(EndpointReference.parse("<e" + W + ">" + ADDRESS + content + "</e>").endpointIdentifier()).isEmpty();
  }

  @Test
  void referencesAreEqualByTheirXml() {
    EndpointReference reference = EndpointReference.ofAddress("urn:a");

    assertThat(reference).isEqualTo(EndpointReference.parse(reference.xml()))
        .isNotEqualTo(EndpointReference.ofAddress("urn:b"));
    assertThat(reference).isNotEqualTo(EndpointReference.parse("<e" + W + ">" + ADDRESS + "</e>"));
    assertThat(reference)
        .isNotEqualTo(EndpointReference.parse("<e xmlns:f='urn:f' f:a='1'>" + reference.content() + "</e>"));
  }
}
