package io.rns.loadtest.measure;

import java.util.function.Consumer;

/**
 * Observes a load: receives each second of the measured time, and is called before each run, both by the thread that
 * started the load.
 */
public record Observer(Processors processors, Consumer<Second> seconds, Runnable before) {
  /** Looks at this process, and at nothing while it runs. */
  public static final Observer NONE = new Observer(Processors.OWN, second -> {}, () -> {});
}
