package io.rns.loadtest.chapter;

import com.dashjoin.jsonata.Jsonata;
import io.rns.loadtest.chart.LineChart;
import io.rns.loadtest.chart.LineChart.Point;
import io.rns.loadtest.chart.LineChart.Scale;
import io.rns.loadtest.figure.Figure;
import io.rns.loadtest.launcher.Io;
import io.rns.loadtest.measure.Series;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Fills in the results of a chapter. A template is Markdown with expressions of the query language JSONata in double
 * braces; the document that they query has for each label the list of what its commands have printed, and
 * {@code $chapters} is that of all chapters by name. A block <code>{{! ... }}</code> defines variables for all
 * expressions. A table cell or paragraph with an expression without a value is left out.
 *
 * <p>Beside the functions of JSONata there are: {@code $num(value, unit)}, a number with three digits;
 * {@code $whole(value)}, with all digits; {@code $median(values)}; {@code $ratio(values, others)}, the median of their
 * ratios; {@code $table(header, rows)}; {@code $chart(file, title, x, y, logarithmic, curves, marks)};
 * {@code $quantity(figure)}, the abscissa of a simulated figure; and those of {@value #FUNCTIONS}: {@code $row(result,
 * what)}, the row of a contest whose name begins so; {@code $notes(result, names)}, its notes as a list; and the
 * verdicts {@code $atLeast(value, bar)}, {@code $atMost(value, bar)} and, without a bar, {@code $published(value)}.
 */
final class ChapterTemplate {
  private static final String FUNCTIONS = "functions.jsonata";
  private static final Pattern DEFINITIONS = Pattern.compile("\\{\\{!(.*?)}}\\s*", Pattern.DOTALL);
  private static final Pattern EXPRESSION = Pattern.compile("\\{\\{(.*?)}}", Pattern.DOTALL);
  private static final String CELLS = " | ";
  private static final int WIDTH = 860;
  private static final int HEIGHT = 400;

  private final Map<String, Map<String, List<Object>>> chapters;
  private final Map<String, Function<List<?>, @Nullable Object>> functions = new LinkedHashMap<>();
  private final Map<String, String> pictures = new LinkedHashMap<>();

  ChapterTemplate(Map<String, Map<String, List<Object>>> chapters) {
    this.chapters = chapters;
    functions.put("num", a -> present(Numbers.of(number(a.get(0))), a.get(1)));
    functions.put("whole", a -> present(Numbers.count(number(a.get(0))), ""));
    functions.put("median", a -> finite(Series.median(numbers(a.get(0)))));
    functions.put("ratio", a -> finite(ratio(numbers(a.get(0)), numbers(a.get(1)))));
    functions.put("table", a -> table(list(a.get(0)), list(a.get(1))));
    functions.put("chart", this::chart);
    functions.put("quantity", a -> Figure.named((String) a.get(0)).map(Figure::quantity).orElse(""));
  }

  String filled(Chapter chapter) {
    return filled(chapter.results(), chapters.getOrDefault(chapter.name(), Map.of()));
  }

  /** A template filled in from other data. */
  String filled(String template, Map<String, ?> data) {
    String definitions = Io.resource(ChapterTemplate.class, FUNCTIONS)
        + DEFINITIONS.matcher(template).results().map(found -> found.group(1)).collect(Collectors.joining());
    Function<String, @Nullable String> filling = text -> filled(text, definitions, data);
    List<String> paragraphs = new ArrayList<>();
    for (String paragraph : DEFINITIONS.matcher(template).replaceAll("").strip().split("\n\n", -1)) {
      String filled = paragraph.startsWith("|") ? tableOf(paragraph, filling) : filling.apply(paragraph);
      if (filled != null) {
        paragraphs.add(filled);
      }
    }
    return String.join("\n\n", paragraphs);
  }

  /** The pictures of all chapters filled so far, as SVG, by the names of their files. */
  Map<String, String> pictures() {
    return Map.copyOf(pictures);
  }

  private static String tableOf(String rows, Function<String, @Nullable String> filling) {
    List<String> lines = new ArrayList<>();
    for (String row : rows.lines().toList()) {
      String[] cells = row.substring(2, row.length() - 2).split(Pattern.quote(CELLS), -1);
      lines.add(line(Stream.of(cells).map(cell -> Objects.requireNonNullElse(filling.apply(cell), "")).toList()));
    }
    return String.join("\n", lines);
  }

  private static String line(List<String> cells) {
    return "| " + String.join(CELLS, cells) + " |";
  }

  /** A table; nothing without rows. */
  private static @Nullable String table(List<?> header, List<?> rows) {
    if (rows.isEmpty()) {
      return null;
    }
    // JSONata makes no difference between one row and a list of one row.
    List<?> all = rows.getFirst() instanceof List<?> ? rows : List.of(rows);
    List<String> lines = new ArrayList<>();
    lines.add(line(texts(header)));
    lines.add(line(header.stream().map(cell -> "---").toList()));
    all.forEach(row -> lines.add(line(texts(list(row)))));
    return String.join("\n", lines);
  }

  private static List<String> texts(List<?> cells) {
    return cells.stream().map(cell -> text(cell).replace("|", "\\|")).toList();
  }

  /** A text with its expressions evaluated; nothing if one of them has no value. */
  private @Nullable String filled(String text, String definitions, Map<String, ?> data) {
    StringBuilder filled = new StringBuilder();
    Matcher expression = EXPRESSION.matcher(text);
    while (expression.find()) {
      MatchResult found = expression.toMatchResult();
      Object value = value("(" + definitions + found.group(1) + ")", data);
      if (value == null) {
        return null;
      }
      expression.appendReplacement(filled, Matcher.quoteReplacement(text(value)));
    }
    return expression.appendTail(filled).toString();
  }

  private @Nullable Object value(String expression, Map<String, ?> data) {
    Jsonata query = Jsonata.jsonata(expression);
    query.assign("chapters", chapters);
    functions.forEach(
        (name, function) -> query.registerFunction(name,
            new Jsonata.JFunction((input, arguments) -> function.apply(arguments), null)));
    return query.evaluate(data);
  }

  private static String text(Object value) {
    return value instanceof Number number ? Numbers.plain(number.doubleValue()) : value.toString();
  }

  private static @Nullable String present(String number, @Nullable Object unit) {
    return number.isEmpty() ? null : number + unit;
  }

  private static @Nullable Double finite(double value) {
    return Double.isFinite(value) ? value : null;
  }

  private static double number(@Nullable Object value) {
    return value instanceof Number number ? number.doubleValue() : Double.NaN;
  }

  private static double[] numbers(@Nullable Object values) {
    return list(values).stream().mapToDouble(ChapterTemplate::number).filter(Double::isFinite).toArray();
  }

  private static List<?> list(@Nullable Object value) {
    return value == null ? List.of() : value instanceof List<?> list ? list : List.of(value);
  }

  private static double ratio(double[] ours, double[] theirs) {
    return Series.median(
        IntStream.range(0, Math.min(ours.length, theirs.length)).mapToDouble(i -> ours[i] / theirs[i]).toArray());
  }

  private static Map<?, ?> map(@Nullable Object value) {
    return value instanceof Map<?, ?> map ? map : Map.of();
  }

  private @Nullable Object chart(List<?> arguments) {
    String file = arguments.get(0) + ".svg";
    String title = (String) arguments.get(1);
    Scale scale = Boolean.TRUE.equals(arguments.get(4)) ? Scale.LOGARITHMIC : Scale.LINEAR;
    LineChart chart =
        new LineChart(title, (String) arguments.get(2), Scale.LINEAR, (String) arguments.get(3), scale);
    map(arguments.get(5)).forEach((name, points) -> chart.curve((String) name, true, points(list(points))));
    map(arguments.get(6)).forEach((name, value) -> chart.mark((String) name, number(value)));
    if (chart.isEmpty()) {
      return null;
    }
    pictures.put(file, chart.svg(WIDTH, HEIGHT));
    return "![" + title + "](figures/" + file + ")";
  }

  private static List<Point> points(List<?> points) {
    // As for the rows of a table, a single point is no list of points.
    List<?> all = points.isEmpty() || points.getFirst() instanceof List<?> ? points : List.of(points);
    return all.stream().map(point -> numbers(point)).filter(point -> point.length == 2)
        .map(point -> new Point(point[0], point[1])).toList();
  }
}
