package io.rns.server.soap;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.server.soap.ContentType.Kind;
import io.rns.wire.SoapVersion;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class ContentTypeTest {
  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
      "text/xml | SOAP | V1_1 | ",
      "text/xml; charset=utf-8 | SOAP | V1_1 | utf-8",
      "Text/XML;Charset=\"UTF-8\" | SOAP | V1_1 | UTF-8",
      "text/xml; action=\"x\" ; charset = utf8 | SOAP | V1_1 | utf8",
      "text/xml; charset=iso-8859-1 | SOAP | V1_1 | iso-8859-1",
      "application/soap+xml; action=\"urn:x\" | SOAP | V1_2 | ",
      "multipart/related; type=\"text/xml\" | MULTIPART | V1_1 | ",
      "multipart/related; type=\"application/xop+xml\"; start-info=\"application/soap+xml\" | MULTIPART | V1_2 | ",
      "application/xml | OTHER | V1_1 | ",
      "text/xmlx | OTHER | V1_1 | ",
  })
  void saysWhoReads(String header, Kind kind, SoapVersion version, String charset) {
    ContentType type = ContentType.parse(header);
    assertThat(type.kind()).isEqualTo(kind);
    assertThat(type.version()).isEqualTo(version);
    assertThat(type.charset()).isEqualTo(charset);
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", ";", "text", "text/xml2;", "charset=utf-8"})
  void otherThingsAreNotUnderstood(String header) {
    assertThat(ContentType.parse(header).kind()).isEqualTo(Kind.OTHER);
  }
}
