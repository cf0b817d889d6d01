package io.rns.loadtest.chapter;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.launcher.Launcher;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;

/**
 * Runs chapters, one after the other.
 *
 * @param end when a chapter whose commands share no service begins no further one
 */
public record Measuring(Path script, Length length, Clock clock, Instant end, Consumer<String> progress) {
  /**
   * Runs a chapter; the results of an incomplete run are those until then, and why.
   *
   * @param begun of a run that was interrupted: its commands are not repeated, unless they share a service
   * @param kept receives what there is after each command of a chapter whose commands share no service
   */
  public Results run(Chapter chapter, Results begun, Consumer<Results> kept) throws InterruptedException {
    Results results = Results.start(chapter.name(), length, clock.instant());
    List<Step> steps = chapter.steps(length);
    boolean apart = steps.stream().noneMatch(Step::startsService);
    try (Stage stage = Stage.open(new Launcher(script))) {
      for (Step step : steps) {
        if (apart && results.takeOver(step, begun)) {
          continue;
        }
        if (apart && clock.instant().isAfter(end)) {
          throw new RnsException(RnsError.TIMEOUT, "the time is over before " + step.line() + "; --resume goes on");
        }
        progress.accept(chapter.name() + ": " + step.line());
        long start = System.nanoTime();
        JsonNode printed = stage.run(step);
        results.add(step, (System.nanoTime() - start) / 1e9, printed);
        if (apart) {
          kept.accept(results);
        }
      }
    } catch (RnsException e) {
      results.incomplete(String.valueOf(e.getMessage()));
      progress.accept(chapter.name() + " could not be run: " + e.getMessage());
    }
    return results;
  }

  /** Time, errors and failures of several chapters, as JSON. */
  public static ObjectNode summary(Iterable<Results> ended) {
    ObjectNode document = Results.MAPPER.createObjectNode();
    ended.forEach(results -> results.summarise(document.putObject(results.chapter())));
    return document;
  }
}
