package io.rns.server.query;

import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a query may say, and what it may not. */
class QueryTextTest {
  @ParameterizedTest
  @ValueSource(strings = {
      "/*", "try { 1 } catch * { 2 }", "//*/@*", "child::*", "/n:*/*:x", "for $x in * return *", "(*, *)", "a | *",
      "/* [ * ]", "count(//*)", "fn:count (/*)",
      "xs:integer('1') + 1", "if (a) then (b) else (c)", "//node()/child::text()", "a/todo, to-do, $to, @to, /to/x",
      "let $import := 1 return $import",
      "//element(a)", "every $x in (a, b) satisfies ($x = 'y')", "<a b='{string(.)}'>{text {'x'}}</a>",
      "some $a in b satisfies contains($a, 'x')"
  })
  void isLetThrough(String query) {
    assertThatNoException().isThrownBy(() -> QueryText.check(query));
  }

  @ParameterizedTest
  @ValueSource(strings = {
      "doc('file:///etc/passwd')", "fn:doc ('x')", "doc(: no comment :)('x')", "doc\n('x')", "collection()",
      "unparsed-text('x')",
      "environment-variable('PATH')", "available-environment-variables()", "matches('a', '(a+)+b')", "replace(a, b, c)",
      "tokenize(a, 'b')",
      "Q{http://www.w3.org/2005/xpath-functions}doc('x')", "doc#1", "let $f := doc#1 return $f('x')", "$f('x')",
      "f:doc('x')", "'x' => doc()",
      "function($x) { $x }", "function ($x) { $x }", "declare function local:f($x) { local:f($x) }; local:f(1)",
      "import module namespace a = 'b'; 1",
      "module namespace a = 'b';", "declare option a:b 'c'; 1", "(# a:b #) { 1 }", "1 to 9", "(1)to(9)",
      "(1 to 1000000000000)", "$a * $a", "2*2",
      "(a)*(a)", "(.) * 3", "$return * 2", "string-length(.) * 2", "map { 'a' : 1 }", "array { 1 }",
      "load-xquery-module('a')", "transform(a)",
      "parse-xml('<a/>')", "sort((1, 2))", "fold-left((1, 2), 0, f)", "xs:NOTATION('a')", "java:exit(1)",
      "dateTime('a', 'b')", "a/doc('x')",
      "trace('a')", "error()", "put(a, 'b')", "copy $a := b modify () return $a", "validate { a }", "repeat('x', 9)",
      "translate(a, b, c)", "round(5, -2000000000)"
  })
  void isRefused(String query) {
    assertThatThrownBy(() -> QueryText.check(query)).as(query)
        .isInstanceOfSatisfying(RnsException.class,
            e -> org.assertj.core.api.Assertions.assertThat(e.error()).isEqualTo(RnsError.INVALID_REQUEST));
  }

  @Test
  void isBounded() {
    String most = "1" + " ".repeat(Limits.EXPRESSION_CHARS - 1);
    assertThatNoException().isThrownBy(() -> QueryText.check(most));
    assertThatThrownBy(() -> QueryText.check(most + " "))
        .hasMessage("the query has 4097 characters; the limit is 4096 characters");
    String deep = "(".repeat(QueryText.DEPTH);
    assertThatNoException().isThrownBy(() -> QueryText.check(deep));
    assertThatThrownBy(() -> QueryText.check(deep + "["))
        .hasMessage("the query has 33 levels of parentheses; the limit is 32 levels of parentheses");
  }
}
