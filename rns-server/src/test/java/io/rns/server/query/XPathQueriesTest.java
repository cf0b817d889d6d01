package io.rns.server.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Expressions give what XPath 1.0 says, reach nothing else, and cannot be made expensive. */
class XPathQueriesTest {
  private static final String DOCUMENT =
      "<_n:RNSRP xmlns:_n=\"urn:n\"><_l:T xmlns:_l=\"urn:l\">x &lt; y</_l:T><_n:elementCount>12</_n:elementCount>"
          + "<_n:readable>true</_n:readable><_n:nil _i:nil=\"true\" xmlns:_i=\"urn:i\"/></_n:RNSRP>";

  private final XPathQueries queries = new XPathQueries();

  private String evaluate(String expression) {
    return queries.evaluate(DOCUMENT, expression, Map.of("n", "urn:n", "l", "urn:l"));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
      "/n:RNSRP/n:elementCount > 10 | true", "string(//n:elementCount) | 12", "//n:elementCount div 5 | 2.4",
      "1 div 0 | Infinity",
      "count(/*/*) | 4", "//n:elementCount/text() | 12", "string(/n:RNSRP/l:T) | x &lt; y", "//n:none | ''",
      "//@*/parent::*/@* | true",
      "//n:readable | <_n:readable xmlns:_n=\"urn:n\">true</_n:readable>", "concat('a', '<') | a&lt;"
  })
  void theResultIsThatOfXPath(String expression, String result) {
    assertThat(evaluate(expression)).isEqualTo(result);
  }

  @Test
  void nodesAreToldInTheirOrder() {
    assertThat(evaluate("//n:readable | //n:elementCount"))
        .containsSubsequence("<_n:elementCount", ">12</", "<_n:readable", ">true</");
    assertThat(evaluate("/")).startsWith("<_n:RNSRP").contains("x &lt; y").endsWith("</_n:RNSRP>");
  }

  @Test
  void whatIsNoExpressionIsRefused() {
    for (String none : List.of("", "//", "a b", "u:a", "nothing()", "'", "$x", "document('file:///etc/passwd')", "((((",
        "key('a', 'b')")) {
      assertThatThrownBy(() -> evaluate(none)).as(none)
          .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.INVALID_REQUEST));
    }
    String java = "j:exit(1)";
    assertThatThrownBy(
        () -> queries.evaluate(DOCUMENT, java, Map.of("j", "http://xml.apache.org/xalan/java/java.lang.System")))
        .isInstanceOf(RnsException.class);
    assertThatThrownBy(() -> evaluate("(".repeat(4_000))).isInstanceOf(RnsException.class);
  }

  @Test
  void stepsAreBounded() {
    String step = "/..";
    assertThat(evaluate("count(/*/*" + step.repeat(XPathQueries.STEPS - 2) + ")")).isEqualTo("0");
    for (String more : List.of("/*/*" + step.repeat(XPathQueries.STEPS - 1), "/*".repeat(9) + "[1][1]",
        "//self::*".repeat(3) + "[1][1]")) {
      assertThatThrownBy(() -> evaluate(more)).as(more)
          .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.LIMIT_EXCEEDED))
          .hasMessageContaining("has 11 steps; the limit is 10 steps");
    }
  }

  @Test
  void theWorstThatIsAllowedIsCheap() {
    for (String worst : List.of(
        "count(//*/../*/../*/../*/../*)", "count(//*[//*[//*[1]]])", "count(//node()/..//node()/..//node())",
        "count(//*/following::*/preceding::*/following::*)", "//*[. = //*[. = //*]]")) {
      assertThat(evaluate(worst)).isNotNull();
    }
  }
}
