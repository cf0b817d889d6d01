package io.rns.loadtest.launcher;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Input and output without which a run cannot go on: fails with what was attempted, and why it failed. */
public final class Io {
  private Io() {}

  public interface Source<T extends @Nullable Object> {
    T get() throws IOException;
  }

  public interface Action {
    void run() throws IOException;
  }

  public static <T extends @Nullable Object> T get(String failure, Source<T> source) {
    return get(RnsError.UNAVAILABLE, failure, source);
  }

  public static <T extends @Nullable Object> T get(RnsError error, String failure, Source<T> source) {
    try {
      return source.get();
    } catch (IOException | UncheckedIOException e) {
      throw new RnsException(error, failure + ": " + e.getMessage(), e);
    }
  }

  /** The text of a file that comes with a class. */
  public static String resource(Class<?> owner, String file) {
    return get(file, () -> {
      try (InputStream content = Objects.requireNonNull(owner.getResourceAsStream(file), file)) {
        return new String(content.readAllBytes(), StandardCharsets.UTF_8);
      }
    });
  }

  public static void run(String failure, Action action) {
    run(RnsError.UNAVAILABLE, failure, action);
  }

  public static void run(RnsError error, String failure, Action action) {
    boolean unused = get(error, failure, () -> {
      action.run();
      return true;
    });
  }
}
