package io.rns.loadtest.measure;

import java.util.function.Consumer;

/**
 * Who looks on while a load runs.
 *
 * @param processors whose use of the processors is told
 * @param seconds is told what each second of the measured time gave, by the thread that started the load
 * @param before is run by that thread before each run
 */
public record Observer(Processors processors, Consumer<Second> seconds, Runnable before) {
  /** Looks at this process, and at nothing while it runs. */
  public static final Observer NONE = new Observer(Processors.OWN, second -> {}, () -> {});
}
