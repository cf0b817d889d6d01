package io.rns.server.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.wire.resource.FoundEntry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Queries filter and project entries; what they cost is bounded whatever they say. */
class EntryQueryTest {
  private static final String NS = "http://schemas.ogf.org/rns/2009/12/rns";
  private static final String DECLARED = "declare namespace n='" + NS + "'; ";
  private static final String ENTRY =
      "<_n:RNSEntryResponseType xmlns:_n='" + NS + "' entry-name='e &lt;'><_n:metadata><_n:supports-rns value='false'/>"
          + "<rnskv key='size'>17</rnskv><m:a xmlns:m='urn:m'> mixed <b/> </m:a></_n:metadata></_n:RNSEntryResponseType>";

  private static Optional<String> evaluate(String query, String entry) {
    return new EntryQuery(query, new Guard(Duration.ofMinutes(1).toNanos())).evaluate(entry);
  }

  @Test
  void theQueriesOfKnownClientsWork() {
    String query =
        "declare namespace ns1='" + NS + "'; let $ent:=/ns1:RNSEntryResponseType let $name:=string($ent/@entry-name)"
            + " let $epr:=$ent/ns1:endpoint let $meta:=$ent/ns1:metadata let $key:=$meta/rnskv[@key=\"size\"] let $value:=$key/text()"
            + " where exists($key) and number($value) > 10"
            + " return <ns1:RNSEntryResponseType entry-name='{$name}'>{$epr}{$meta}</ns1:RNSEntryResponseType>";
    FoundEntry found = FoundEntry.parse(evaluate(query, ENTRY).orElseThrow());
    assertThat(found.name()).isEqualTo("e <");
    assertThat(found.content()).contains("<rnskv", ">17</rnskv>", "> mixed <b", "/> </m:a>", "value=\"false\"");
    assertThat(evaluate(query, ENTRY.replace("17", "7"))).isEmpty();
    assertThat(evaluate(query, ENTRY.replace("size", "other"))).isEmpty();
  }

  @Test
  void theWholeEntryMayBeTheResult() {
    for (String all : List.of("/*", "/", ".", DECLARED + "/n:RNSEntryResponseType[n:metadata]",
        "for $x in /* order by $x/@entry-name return $x")) {
      assertThat(FoundEntry.parse(evaluate(all, ENTRY).orElseThrow()).name()).as(all).isEqualTo("e <");
    }
    assertThat(evaluate("/*[@entry-name = 'other']", ENTRY)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "'text'", "(/*, /*)", "//rnskv", "<RNSEntryResponseType entry-name='a'/>", "//@key",
      "1 div 0", "xs:date('x')", "$x", "<a>", "a b", ""})
  void anythingElseIsRefused(String query) {
    assertThatThrownBy(() -> evaluate(query, ENTRY)).isInstanceOfSatisfying(RnsException.class,
        e -> assertThat(e.error()).isEqualTo(RnsError.INVALID_REQUEST));
  }

  private static String doubling(String first, String next, String result) {
    int times = 60;
    StringBuilder query = new StringBuilder("let $a0 := " + first);
    for (int i = 1; i < times; i++) {
      query.append(" let $a").append(i).append(" := ").append(next.replace("$a", "$a" + (i - 1)));
    }
    return query + " return " + result.replace("$a", "$a" + (times - 1));
  }

  static List<String> hostile() {
    List<String> all = new ArrayList<>();
    all.add("count(//*[count(//*[count(//*[count(//*[count(//*) > 0]) > 0]) > 0]) > 0])");
    all.add("string-join(for $x in //*, $y in //*, $z in //* return 'x')");
    all.add("count(for $x in //*, $y in //*, $z in //* return $x)");
    all.add("some $x in //*, $y in //*, $z in //* satisfies $x/@key = concat($y/@key, $z/@key, 'x')");
    all.add("<a>{for $x in //*, $y in //* return <b>{//*}</b>}</a>");
    all.add("for $x in //*, $y in //*, $z in //* order by $x/@key, $y/@key return $x");
    all.add("for $x in //*, $y in //*, $z in //* group by $k := concat($x/@key, $y/@key) return $k");
    all.add("count(distinct-values(for $x in //*, $y in //* return concat($x/@key, $y/@key, string-join(//@key))))");
    all.add("count(//*/following::*/preceding::*/following::*)");
    all.add("//*[. = //*[. = //*[. = //*[@x]]]]");
    all.add("try { count(for $x in //*, $y in //*, $z in //* return $x) } catch * { () }");
    all.add(
        "for tumbling window $w in (for $x in //*, $y in //*, $z in //* return $x) start when true() return count($w)");
    all.add(doubling("'xxxxxxxxxxxxxxxx'", "concat($a,$a)", "string-length($a)"));
    all.add(doubling("string-join(//@key)", "$a || $a", "string-length($a)"));
    all.add(doubling("//@key", "($a,$a)", "count($a/string()[. = 'x'])"));
    all.add(doubling("//@key", "($a,$a)", "count($a)"));
    all.add(doubling("(1,2,3)", "($a,$a)", "count($a)"));
    all.add(doubling("<a>{//rnskv}</a>", "<a>{$a}{$a}</a>", "$a"));
    all.add(doubling("string-join(//@key)", "string-join(($a,$a),$a)", "$a"));
    return all;
  }

  private static String large() {
    StringBuilder entry = new StringBuilder("<n:RNSEntryResponseType xmlns:n='" + NS + "' entry-name='e'><n:metadata>");
    for (int i = 0; i < 2_000; i++) {
      entry.append("<rnskv key='k").append(i).append("'>v</rnskv>");
    }
    return entry + "</n:metadata></n:RNSEntryResponseType>";
  }

  /** Counts how often it is asked. */
  private static final class Counting extends Guard {
    private int checks;

    Counting() {
      super(Duration.ofMinutes(1).toNanos());
    }

    @Override
    void check() {
      checks++;
      super.check();
    }
  }

  @Test
  void theGuardIsAskedWhileItemsAreTaken() {
    Counting guard = new Counting();
    EntryQuery query = new EntryQuery("/*[descendant::rnskv = ('none', 'neither')]", guard);
    assertThat(query.evaluate(ENTRY)).isEmpty();
    int few = guard.checks;
    assertThat(query.evaluate(large())).isEmpty();
    assertThat(guard.checks - 2 * few).as("for 2,000 items").isBetween(100, 20_000);
  }

  @ParameterizedTest
  @MethodSource("hostile")
  void whatCostsTooMuchIsStopped(String query) {
    String document = large();
    assertThatThrownBy(() -> evaluate(query, document)).isInstanceOfSatisfying(RnsException.class,
        e -> assertThat(e.error()).isEqualTo(RnsError.LIMIT_EXCEEDED)).hasMessageContaining("bytes of memory");
  }

  /** A class that a query would like to load. */
  public static final class Trap implements Comparator<String> {
    private static final AtomicBoolean MADE = new AtomicBoolean();

    /** Notes that it was made. */
    public Trap() {
      MADE.set(true);
    }

    @Override
    public int compare(String one, String other) {
      return one.compareTo(other);
    }
  }

  @Test
  void noClassIsLoaded() {
    String uri = "concat('http://saxon.sf.net/colla', 'tion?class=" + Trap.class.getName() + "')";
    for (String query : List.of(
        "/*[contains(@entry-name, 'e', " + uri + ")]", "/*[distinct-values(//@*, " + uri + ") = 'size']",
        "for $x in /* order by $x/@entry-name collation 'http://saxon.sf.net/collation?class=" + Trap.class.getName()
            + "' return $x",
        "declare default collation 'http://saxon.sf.net/collation?class=" + Trap.class.getName()
            + "'; /*[@entry-name < 'f']")) {
      assertThatThrownBy(() -> evaluate(query, ENTRY)).as(query).isInstanceOfSatisfying(RnsException.class,
          e -> assertThat(e.error()).isEqualTo(RnsError.INVALID_REQUEST));
    }
    assertThat(Trap.MADE).isFalse();
  }

  @Test
  void timeIsBoundedOverAllEntries() {
    EntryQuery query = new EntryQuery("/*", new Guard(0));
    assertThatThrownBy(() -> query.evaluate(ENTRY)).isInstanceOfSatisfying(RnsException.class,
        e -> assertThat(e.error()).isEqualTo(RnsError.LIMIT_EXCEEDED)).hasMessageContaining("0 ms");
  }

  @Test
  void anInterruptionStopsIt() {
    EntryQuery query = new EntryQuery("/*", new Guard(Duration.ofMinutes(1).toNanos()));
    Thread.currentThread().interrupt();
    try {
      assertThatThrownBy(() -> query.evaluate(ENTRY)).isInstanceOfSatisfying(RnsException.class,
          e -> assertThat(e.error()).isEqualTo(RnsError.UNAVAILABLE));
      assertThat(Thread.currentThread().isInterrupted()).isTrue();
    } finally {
      Thread.interrupted();
    }
  }

  @Test
  void whatIsNestedWithoutParenthesesIsRefused() {
    for (String deep : List.of("1" + "+1".repeat(2_000), "<a>".repeat(500) + "</a>".repeat(500),
        "-".repeat(4_000) + "1")) {
      assertThatThrownBy(() -> evaluate(deep, ENTRY)).isInstanceOf(RnsException.class);
    }
  }
}
