package io.rns.loadtest.figure;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.rns.loadtest.launcher.Io;
import io.rns.loadtest.sim.Scenario;
import io.rns.pool.PolicyType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A figure of the paper, or one of our own: one setting of a scenario that varies, for some q and policies. All are in
 * the file {@code figures.json}: after those of the paper {@code late}, where reports of load come late, and
 * {@code sinks}, where 2 of 20 equal servers fail every request at once, while the others are used to 78 %.
 *
 * @param name such as {@code 3-users}; the part before the dash is the number in the paper
 * @param quantity what varies, for people
 * @param logarithmic whether it is drawn so
 * @param minCapacities all q
 * @param varies the setting
 * @param values of the setting, as multiples of {@code unit}
 * @param scenario the other settings in which it is not {@link Scenario#BASE}
 */
public record Figure(String name, String quantity, boolean logarithmic, List<Double> minCapacities, String varies,
    double unit, List<Double> values, Map<String, Object> scenario) {
  /** All figures, in order. */
  public static final List<Figure> ALL = read();

  /** Of requests shorter than this, as many are simulated as of this length. */
  private static final double SHORTEST_FULL_SECONDS = 1;

  private static List<Figure> read() {
    String all = Io.resource(Figure.class, "figures.json");
    return Io.get("figures.json", () -> new JsonMapper().readValue(all, new TypeReference<>() {
    }));
  }

  @JsonValue
  @Override
  public String toString() {
    return name;
  }

  /** Whether it is asked for by this: its name, its number, or {@code all}. */
  public boolean isMeantBy(String wanted) {
    return wanted.equals("all") || wanted.equals(name) || name.startsWith(wanted + "-");
  }

  public static Optional<Figure> named(String name) {
    return ALL.stream().filter(figure -> figure.name.equals(name)).findFirst();
  }

  public List<Cell> cells(List<PolicyType> policies) {
    List<Cell> cells = new ArrayList<>();
    for (PolicyType policy : policies) {
      for (double minCapacity : minCapacities) {
        for (double value : values) {
          cells.add(new Cell(this, policy, minCapacity, value));
        }
      }
    }
    return cells;
  }

  /**
   * One point of it. A registrar names three elements to users of an adaptive pool, and one to others, as in the paper.
   */
  Scenario scenario(Cell cell, double minutes, double warmUpMinutes) {
    Map<String, Object> settings = new HashMap<>();
    settings.put("minCapacity", cell.minCapacity());
    settings.put("policy", cell.policy());
    settings.put("items", cell.policy() == PolicyType.ADAPTIVE ? 3 : 1);
    settings.putAll(scenario);
    settings.put(varies, unit * cell.value());
    Scenario varied = Scenario.BASE.with(settings);
    double share = Math.min(1, varied.requestSeconds() / SHORTEST_FULL_SECONDS);
    return varied.with(Map.of("minutes", minutes * share, "warmUpMinutes", warmUpMinutes * share));
  }
}
