package io.rns.server.soap;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.server.soap.ContentType.Kind;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class ContentTypeTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "text/xml | SOAP_1_1 | true",
        "text/xml; charset=utf-8 | SOAP_1_1 | true",
        "Text/XML;Charset=\"UTF-8\" | SOAP_1_1 | true",
        "text/xml; action=\"x\" ; charset = utf8 | SOAP_1_1 | true",
        "text/xml; charset=iso-8859-1 | SOAP_1_1 | false",
        "application/soap+xml; action=\"urn:x\" | SOAP_1_2 | true",
        "multipart/related; type=\"text/xml\" | MULTIPART | true",
        "application/xml | OTHER | true",
        "text/xmlx | OTHER | true",
      })
  void saysWhoReads(String header, Kind kind, boolean utf8) {
    ContentType type = ContentType.parse(header);
    assertThat(type.kind()).isEqualTo(kind);
    assertThat(type.mayBeUtf8()).isEqualTo(utf8);
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", ";", "text", "text/xml2;", "charset=utf-8"})
  void otherThingsAreNotUnderstood(String header) {
    assertThat(ContentType.parse(header).kind()).isEqualTo(Kind.OTHER);
  }
}
