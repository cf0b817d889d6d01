package io.rns.server.soap;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ContentCodingTest {
  @ParameterizedTest
  @CsvSource({"identity, IDENTITY", "gzip, GZIP", "X-GZip, GZIP", "deflate, OTHER", "'gzip, gzip', OTHER"})
  void saysHowABodyComes(String header, ContentCoding coding) {
    assertThat(ContentCoding.of(header)).isEqualTo(coding);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
      "gzip | true", "deflate, GZIP;q=0.5 | true", "x-gzip | true", "gzip;q=0.001 | true",
      "gzip;q=0 | false", "gzip; q=0.000 | false", "deflate, br | false", "* | false", "gzipped | false"
  })
  void saysWhetherGzipIsAskedFor(String header, boolean asked) {
    assertThat(ContentCoding.acceptsGzip(header)).isEqualTo(asked);
  }

  @Test
  void nothingSaidIsNothingAskedFor() {
    assertThat(ContentCoding.of(null)).isEqualTo(ContentCoding.IDENTITY);
    assertThat(ContentCoding.acceptsGzip(null)).isFalse();
  }
}
