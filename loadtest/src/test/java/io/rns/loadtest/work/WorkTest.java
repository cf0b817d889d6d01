package io.rns.loadtest.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WorkTest {
  private static final int DRAWS = 200_000;

  /** 1,000 junctions, 10 in each directory. */
  private static final Places PLACES =
      new Places(IntStream.range(0, 1_000).mapToObj(number -> "/t/d" + number / 10 + "/e" + number).toList(), 10);

  private static int[] drawn(Keys keys) {
    Keys.Choice choice = keys.among(PLACES.junctions(), PLACES.perDirectory());
    SplittableRandom random = new SplittableRandom(5);
    int[] counts = new int[PLACES.junctions()];
    for (int i = 0; i < DRAWS; i++) {
      counts[choice.draw(random)]++;
    }
    return counts;
  }

  @Test
  void drawsOperationsInTheirProportion() {
    Mix mix = Mix.parse("hdfs");
    Supplier<Kind> kinds = mix.kinds(new SplittableRandom(5));
    Map<Kind, Integer> counts = new EnumMap<>(Kind.class);
    for (int i = 0; i < DRAWS; i++) {
      counts.merge(kinds.get(), 1, Integer::sum);
    }
    Map<Kind, Double> wanted =
        Map.of(Kind.LIST, 47.0, Kind.QUERY, 42.0, Kind.ADD, 3.0, Kind.MKDIR, 3.0, Kind.MOVE, 2.0, Kind.REMOVE, 1.0,
            Kind.WATCH, 2.0);
    assertThat(mix.percents()).isEqualTo(wanted);
    wanted.forEach((kind, percent) -> assertThat(counts.get(kind) * 100.0 / DRAWS).as(kind.toString())
        .isEqualTo(percent, within(0.4)));
    assertThat(counts).doesNotContainKey(Kind.UPDATE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"query=100", "query=42,list=47,add=3,mkdir=3,move=2,remove=1,watch=2",
      "query=99.5,update=0.5"})
  void readsWhatItWrites(String text) {
    assertThat(Mix.parse(Mix.parse(text).toString())).isEqualTo(Mix.parse(text));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
      "query=90 | 90 instead of 100",
      "query=90,list=20 | 110 instead of 100",
      "query=90,list=20,add=rest | 110, more than 100",
      "swim=100 | 'swim=100'",
      "query=x | 'query=x'",
      "query=-5,list=rest | 'query=-5'",
      "query=NaN | 'query=NaN'",
      "query=50,query=50 | 'query=50'",
      "query=rest,query=50 | 'query=50'",
      "query=rest,list=rest | 'list=rest'",
      "query | 'query'"
  })
  void refusesWhatIsNoMix(String text, String complaint) {
    assertThatThrownBy(() -> Mix.parse(text)).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(complaint);
  }

  @Test
  void uniformKeysAreAllAlike() {
    double expected = DRAWS / 1_000.0;
    double chiSquare = 0;
    for (int count : drawn(Keys.UNIFORM)) {
      chiSquare += Math.pow(count - expected, 2) / expected;
    }
    // 999 degrees of freedom: mean 999, standard deviation 45
    assertThat(chiSquare).isBetween(800.0, 1_200.0);
  }

  @Test
  void theFrequenciesOfZipfFallWithTheRank() {
    int[] counts = drawn(Keys.parse("zipf:1"));
    Permutation spread = Permutation.of(1_000, 0);
    double harmonic = 0;
    for (int rank = 1; rank <= 1_000; rank++) {
      harmonic += 1.0 / rank;
    }
    for (int rank : new int[]{1, 2, 5, 10, 50}) {
      double expected = DRAWS / harmonic / rank;
      assertThat((double) counts[(int) spread.at(rank - 1)]).as("rank " + rank).isEqualTo(expected,
          within(5 * Math.sqrt(expected)));
    }
  }

  @Test
  void theHotDirectoryGetsItsShareAndAPartOfTheRest() {
    int[] counts = drawn(Keys.parse("hot:0.8"));
    int hot = 0;
    for (int i = 0; i < 10; i++) {
      hot += counts[i];
    }
    assertThat(hot * 1.0 / DRAWS).isEqualTo(0.8 + 0.2 * 0.01, within(0.01));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "hot:0", "hot:1.1", "zipf:0", "zipf:6", "zipf:x", "hot:", "uniform:1", "zipf:-1"})
  void refusesWhatAreNoKeys(String text) {
    assertThatThrownBy(() -> Keys.parse(text)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("'");
  }

  @Test
  void changesOnlyWhatItHasAdded() {
    Mix mix = Mix.parse("query=10,list=10,add=20,mkdir=10,update=10,move=20,remove=20");
    WorkloadCaller caller = new WorkloadCaller(mix, PLACES, Keys.UNIFORM.among(1_000, 10), "c1n", 3);
    Set<String> own = new HashSet<>();
    Set<Kind> seen = new HashSet<>();
    SplittableRandom failures = new SplittableRandom(1);
    for (int i = 0; i < 20_000; i++) {
      Call call = caller.next();
      seen.add(call.kind());
      boolean well = failures.nextInt(10) > 0;
      switch (call.kind()) {
        case QUERY -> assertThat(call.path()).matches("/t/d[0-9]+/e[0-9]+");
        case LIST, WATCH -> assertThat(call.path()).matches("/t/d[0-9]+");
        case ADD, MKDIR -> assertThat(own.add(call.path())).as("new: " + call).isTrue();
        case UPDATE -> assertThat(own).contains(call.path());
        case REMOVE -> assertThat(own.remove(call.path())).as("there: " + call).isTrue();
        case MOVE -> {
          assertThat(own.remove(call.path())).as("there: " + call).isTrue();
          assertThat(own.add(call.to())).as("new: " + call).isTrue();
        }
      }
      caller.done(call, well);
    }
    assertThat(seen).hasSize(7);
  }

  @Test
  void changesItsEntriesInTurn() {
    WorkloadCaller caller =
        new WorkloadCaller(new Mix(Map.of(Kind.MOVE, 100.0)), PLACES, Keys.UNIFORM.among(1_000, 10), "c", 3, 4);
    List<String> own = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      Call call = caller.next();
      if (i < 4) {
        assertThat(call.kind()).isEqualTo(Kind.ADD);
        own.add(call.path());
      } else {
        assertThat(call.path()).isEqualTo(own.removeFirst());
        own.add(call.to());
      }
      caller.done(call, true);
    }
  }

  @Test
  void drawsTheSameFromTheSameSeed() {
    WorkloadCaller one = new WorkloadCaller(Mix.parse("hdfs"), PLACES, Keys.UNIFORM.among(1_000, 10), "a", 3);
    WorkloadCaller same = new WorkloadCaller(Mix.parse("hdfs"), PLACES, Keys.UNIFORM.among(1_000, 10), "a", 3);
    for (int i = 0; i < 1_000; i++) {
      Call call = one.next();
      assertThat(same.next()).isEqualTo(call);
      one.done(call, true);
      same.done(call, true);
    }
  }
}
