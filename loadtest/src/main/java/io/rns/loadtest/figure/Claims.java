package io.rns.loadtest.figure;

import com.dashjoin.jsonata.Functions;
import com.dashjoin.jsonata.Jsonata;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.rns.loadtest.figure.Verdict.Agreement;
import io.rns.loadtest.launcher.Io;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * All claims: those of the paper, and the bars that RNS sets for its own policy {@code adaptive}. They are in the file
 * {@value #FILE}, each with its check.
 */
public final class Claims {
  private static final String FILE = "claims.jsonata";
  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(SerializationFeature.WRITE_ENUMS_USING_TO_STRING).build();

  /** What was measured of a figure, for a policy, q and x, as JSON. */
  private final Map<List<?>, Map<String, Object>> measured = new HashMap<>();
  private final List<Map<String, Object>> points;

  /** A claim cannot be checked with what was measured. */
  private static final class NotMeasuredException extends RuntimeException {}

  private Claims(Measurements measurements) {
    points = MAPPER.convertValue(measurements.all(), new TypeReference<>() {
    });
    points.forEach(p -> measured.put(List.of(p.get("figure"), p.get("policy"), p.get("q"), p.get("x")), p));
  }

  public static List<Verdict> check(Measurements measurements) {
    return new Claims(measurements).verdicts();
  }

  private List<Verdict> verdicts() {
    Jsonata claims = Jsonata.jsonata(Io.resource(Claims.class, FILE));
    List<Verdict> verdicts = new ArrayList<>();
    register(claims, "at", this::at);
    register(claims, "values", figure -> values(figure.getFirst()));
    register(claims, "format", Claims::formatted);
    register(claims, "judged", claim -> verdicts.add(verdict((Map<?, ?>) claim.getFirst())));
    Object unused = claims.evaluate(Map.of("points", points));
    return verdicts;
  }

  private static void register(Jsonata claims, String name, Function<List<?>, Object> function) {
    claims.registerFunction(name, new Jsonata.JFunction((input, arguments) -> function.apply(arguments), null));
  }

  private Map<String, Object> at(List<?> place) {
    Map<String, Object> found = measured.get(place.stream().map(Claims::floating).toList());
    if (found == null) {
      throw new NotMeasuredException();
    }
    return found;
  }

  private List<?> values(Object figure) {
    List<?> values =
        points.stream().filter(point -> point.get("figure").equals(figure)).map(point -> point.get("x")).distinct()
            .sorted().toList();
    if (values.isEmpty()) {
      throw new NotMeasuredException();
    }
    return values;
  }

  private static String formatted(List<?> format) {
    List<?> arguments = (List<?>) format.get(1);
    return String.format(Locale.ROOT, (String) format.get(0), arguments.stream().map(Claims::floating).toArray());
  }

  /** JSONata turns whole numbers into integers. */
  private static Object floating(Object value) {
    return value instanceof Number number ? (Object) number.doubleValue() : value;
  }

  private static Verdict verdict(Map<?, ?> claim) {
    Object ours = "";
    Agreement agreement;
    try {
      Map<?, ?> finding = (Map<?, ?>) Functions.funcApply(claim.get("check"), List.of());
      ours = finding.get("ours");
      agreement = Boolean.TRUE.equals(finding.get("agrees")) ? Agreement.YES : Agreement.NO;
    } catch (NotMeasuredException e) {
      agreement = Agreement.NOT_MEASURED;
    } catch (Throwable e) {
      throw new IllegalStateException(claim.get("id") + " cannot be checked", e);
    }
    return new Verdict((String) claim.get("id"), (String) claim.get("claim"), (String) claim.get("source"),
        (String) claim.get("expected"), (String) ours, agreement);
  }
}
