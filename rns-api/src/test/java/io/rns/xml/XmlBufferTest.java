package io.rns.xml;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.RandomCases;
import io.rns.api.Refused;
import io.rns.error.RnsError;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class XmlBufferTest {
  private static final List<String> PARTS =
      List.of("a", "\u00e9", "\u4e2d", "\ud83d\ude00", "\udbff\udfff", "<", "]]>", "&amp;", "\"", "'", "\r", "\n", "\t",
          "\r\n", " ", "\u007f", "\u0085", "\u2028", "\ufffd");

  @Test
  void growsFromNothing() {
    XmlBuffer buffer = new XmlBuffer(0);
    for (int i = 0; i < 1_000; i++) {
      buffer.raw("<\u00e9>").raw(new byte[]{'x'}).attribute("n", Long.MIN_VALUE);
    }
    String once = "<\u00e9>x n=\"-9223372036854775808\"";
    assertThat(buffer).hasToString(once.repeat(1_000));
    assertThat(buffer.length()).isEqualTo(1_000 * once.getBytes(StandardCharsets.UTF_8).length);
    assertThat(buffer.toByteArray()).isEqualTo(once.repeat(1_000).getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void truncatesToALength() throws IOException {
    XmlBuffer buffer = new XmlBuffer(2).raw("abc");
    int length = buffer.length();
    buffer.raw("def").truncate(length);
    assertThat(buffer).hasToString("abc");
    buffer.truncate(10);
    assertThat(buffer.length()).isEqualTo(length);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    buffer.writeTo(out);
    assertThat(out).hasToString("abc");
    buffer.truncate(0);
    assertThat(buffer).hasToString("");
  }

  @Test
  void escapesCharactersThatTheParserWouldChange() {
    assertThat(new XmlBuffer(8).text("<a>&\"'\r\n\t]]>")).hasToString("&lt;a&gt;&amp;\"'&#xD;\n\t]]&gt;");
    assertThat(new XmlBuffer(8).attribute("k", "<a>&\"'\r\n\t"))
        .hasToString(" k=\"&lt;a&gt;&amp;&quot;'&#xD;&#xA;&#x9;\"");
  }

  @Test
  void everyTextSurvivesTheParser() {
    RandomCases.check(
        random -> {
          String text = RandomCases.joined(random, 0, 8, PARTS);
          String value = RandomCases.joined(random, 0, 8, PARTS);
          XmlBuffer buffer = new XmlBuffer(1).raw("<a").attribute("k", value).raw(">").text(text).raw("</a>");
          try (XmlPull pull = XmlPull.document(buffer.toByteArray(), buffer.length())) {
            assertThat(pull.attribute("", "k")).isEqualTo(value);
            assertThat(pull.text()).isEqualTo(text);
          }
        });
  }

  /** Not parameterized: unpaired surrogates do not survive in the annotations of a class file. */
  @Test
  void charactersThatXmlCannotRepresentAreRejected() {
    for (String text : new String[]{"\u0000", "a\u0008", "\u001f", "a\ufffeb", "\uffff", "\ud800", "a\ud83d", "\ude00a",
        "\ude00\ud83d", "\ud83d\ud83d\ude00"}) {
      Refused.with(RnsError.INVALID_REQUEST, () -> new XmlBuffer(8).text(text), "U+", "XML cannot represent");
      Refused.with(RnsError.INVALID_REQUEST, () -> new XmlBuffer(8).attribute("k", text), "U+", "XML cannot represent");
    }
  }
}
