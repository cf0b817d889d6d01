package io.rns.local;

/** Something to be done if the JVM ends before it was undone in an orderly way. */
final class JvmExit {
  private final Thread hook;

  JvmExit(String name, Runnable action) {
    this.hook = new Thread(action, name);
  }

  void register() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Forgets it; no harm when it was never registered or when the JVM is already ending. */
  void unregister() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is ending: the hook runs anyway, and finds nothing left to do.
      return;
    }
  }
}
