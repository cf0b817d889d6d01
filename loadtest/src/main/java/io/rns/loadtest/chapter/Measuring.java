package io.rns.loadtest.chapter;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rns.error.RnsException;
import io.rns.loadtest.launcher.Launcher;
import java.nio.file.Path;
import java.time.Clock;
import java.util.function.Consumer;

/** Runs chapters, one after the other. */
public final class Measuring {
  private final Launcher launcher;
  private final Length length;
  private final Clock clock;
  private final Consumer<String> progress;

  /**
   * Measurements to be.
   *
   * @param launcher the script {@code ./rns}
   * @param clock tells the date of results
   * @param progress is told what is under way
   */
  public Measuring(Path launcher, Length length, Clock clock, Consumer<String> progress) {
    this.launcher = new Launcher(launcher);
    this.length = length;
    this.clock = clock;
    this.progress = progress;
  }

  /**
   * Runs a chapter.
   *
   * @return its results; if it could not be run to its end, those until then and why
   * @throws InterruptedException if this thread is to stop; what the chapter had started has been stopped
   */
  public Results run(Chapter chapter) throws InterruptedException {
    Results results = Results.begun(chapter.name(), length, clock.instant());
    try (Stage stage = Stage.open(launcher)) {
      for (Step step : chapter.steps(length)) {
        progress.accept(chapter.name() + ": " + step.line());
        long begun = System.nanoTime();
        JsonNode told = stage.run(step);
        results.add(step, seconds(begun), told);
      }
    } catch (RnsException e) {
      results.incomplete(String.valueOf(e.getMessage()));
      progress.accept(chapter.name() + " could not be run: " + e.getMessage());
    }
    return results;
  }

  private static double seconds(long begun) {
    return (System.nanoTime() - begun) / 1e9;
  }

  /** What a run of several chapters has come to, as JSON. */
  public static ObjectNode summary(Iterable<Results> ended) {
    ObjectNode document = Results.MAPPER.createObjectNode();
    ended.forEach(results -> results.summarise(document.putObject(results.chapter())));
    return document;
  }
}
