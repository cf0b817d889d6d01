package io.rns.loadtest.chapter;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rns.error.RnsException;
import io.rns.loadtest.launcher.Launcher;
import java.nio.file.Path;
import java.time.Clock;
import java.util.function.Consumer;

/** Runs chapters, one after the other. */
public record Measuring(Path script, Length length, Clock clock, Consumer<String> progress) {
  /** Runs a chapter; the results of an incomplete run are those until then, and why. */
  public Results run(Chapter chapter) throws InterruptedException {
    Results results = Results.start(chapter.name(), length, clock.instant());
    try (Stage stage = Stage.open(new Launcher(script))) {
      for (Step step : chapter.steps(length)) {
        progress.accept(chapter.name() + ": " + step.line());
        long start = System.nanoTime();
        JsonNode printed = stage.run(step);
        results.add(step, (System.nanoTime() - start) / 1e9, printed);
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
