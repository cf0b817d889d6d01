package io.rns.local;

/** An action to run if the JVM ends before it is unregistered. */
final class JvmExit {
  private final Thread hook;

  JvmExit(String name, Runnable action) {
    this.hook = new Thread(action, name);
  }

  void register() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Cancels the action; no effect if it was never registered or the JVM is already ending. */
  void unregister() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is ending: the hook runs anyway, and finds nothing left to do.
      return;
    }
  }
}
