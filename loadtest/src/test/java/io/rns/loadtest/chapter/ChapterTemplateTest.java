package io.rns.loadtest.chapter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ChapterTemplateTest {
  private static final List<Object> RUNS =
      List.of(
          Map.of("rate", 10.0, "rows", List.of(Map.of("what", "SOAP, cached", "errors", 2)), "notes", Map.of("a", "b")),
          Map.of("rate", 30.0), Map.of("rate", 20.0));

  private static String filled(String template) {
    ChapterTemplate filling =
        new ChapterTemplate(Map.of("x", Map.of("load", RUNS, "other", List.of(Map.of("rate", 5)))));
    return filling.filled(new Chapter("x", "X", "Why.", List.of("load: ./rns load"), template));
  }

  @Test
  void barsAreMetMissedOrNotMeasured() {
    assertThat(filled("""
        | work | bar | measured |  |
        | --- | --- | --- | --- |
        | a | 20 | {{$num($median(load.rate), "/s")}} | {{$atLeast($median(load.rate), 20)}} |
        | b | 19 | {{$whole($max(load.rate))}} of {{other.rate}} | {{$atMost($median(load.rate), 19)}} |
        | c | 2 | {{$num(load.speed, "/s")}} alone | {{$atMost(load.speed, 19)}} |
        | d |  | {{$num(load.speed, "/s")}} | {{$published(load.speed)}} |""")).isEqualTo("""
        | work | bar | measured |  |
        | --- | --- | --- | --- |
        | a | 20 | 20.0/s | met |
        | b | 19 | 30 of 5 | **missed** |
        | c | 2 |  | not measured |
        | d |  |  | not measured |""");
  }

  @Test
  void theIntervalOfASingleRoundMeetsNoBar() {
    assertThat(filled("{{$atMost('NaN', 1)}}, {{$atLeast('NaN', 1)}}")).isEqualTo("not measured, not measured");
  }

  @Test
  void paragraphsWithoutValuesAreLeftOut() {
    assertThat(filled(
        "{{! $what := \"SOAP\"; }}\n\n{{$row(load, $what).errors}} errors\n\n{{$row(load, \"DNS\").errors}} errors"
            + "\n\n{{$table([\"h\"], load.nothing)}}\n\n{{$notes(load, [])}}"))
        .isEqualTo("2 errors\n\n- `a`: b");
  }

  @Test
  void ratiosAreOfRunsThatTookTurns() {
    assertThat(filled("{{$ratio(load.rate, [5, 10, 1])}}")).isEqualTo("3");
    assertThat(filled("{{$chapters.x.other.rate}} {{$ratio(load.rate, other.rate)}}")).isEqualTo("5 2");
  }

  @Test
  void oneRowIsATable() {
    assertThat(filled("{{$table([\"a\", \"b\"], other.[rate, \"x|y\"])}}"))
        .isEqualTo("| a | b |\n| --- | --- |\n| 5 | x\\|y |");
  }
}
