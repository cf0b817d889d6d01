package io.rns.loadtest.figure;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.pool.PolicyType;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExperimentTest {
  private static final List<Cell> CELLS =
      Figure.named("5-raised").orElseThrow().cells(List.of(PolicyType.LEAST_USED, PolicyType.RANDOM));
  private static final Experiment SHORT = new Experiment(5, 4, 2, 0.5);

  @Test
  void everyCellIsRepeatedAndTheSameForTheSameSeed() {
    List<Integer> told = new ArrayList<>();
    Measurements first = SHORT.run(CELLS, told::add);
    assertThat(told).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
    assertThat(first.missing()).isZero();
    assertThat(first.all()).extracting(Measured::cell).containsExactlyElementsOf(CELLS);
    assertThat(first.all()).allSatisfy(m -> assertThat(m.repetitions()).isEqualTo(4));
    assertThat(first.all()).allSatisfy(m -> assertThat(m.speed().halfWidth()).as("repetitions differ").isPositive());
    assertThat(SHORT.run(CELLS, done -> {}).all()).isEqualTo(first.all());
    assertThat(new Experiment(6, 4, 2, 0.5).run(CELLS, done -> {}).all()).isNotEqualTo(first.all());
  }

  @Test
  void anInterruptKeepsWhatIsDone() {
    Measurements measurements =
        SHORT.run(
            CELLS,
            done -> {
              if (done == 3) {
                Thread.currentThread().interrupt();
              }
            });
    assertThat(Thread.interrupted()).as("still interrupted").isTrue();
    assertThat(measurements.missing()).isEqualTo(5);
    assertThat(measurements.all()).isEqualTo(SHORT.run(CELLS.subList(0, 3), done -> {}).all());
  }

  @Test
  void figuresAreFoundByNumberAndByName() {
    assertThat(named("3")).containsExactly("3-users", "3-size");
    assertThat(named("5")).containsExactly("5", "5-raised");
    assertThat(named("8-linear")).containsExactly("8-linear");
    assertThat(named("all")).hasSize(Figure.ALL.size());
    assertThat(named("")).isEmpty();
    assertThat(named("9")).isEmpty();
  }

  private static List<String> named(String name) {
    return Figure.ALL.stream().filter(figure -> figure.isMeantBy(name)).map(Figure::name).toList();
  }

  @Test
  void tablesHaveALinePerCell() {
    List<Measured> all = SHORT.run(CELLS, done -> {}).all();
    String[] lines = FigureFiles.csv(all).split("\n", -1);
    assertThat(lines).hasSize(10);
    assertThat(lines[0]).startsWith("figure,policy,q,x,repetitions,speed,speed_ci95,");
    assertThat(lines[1]).startsWith("5-raised,lu,333333,4.0,4,0.").matches("([^,]+,){14}[^,]+");
    assertThat(lines[9]).isEmpty();
  }
}
