package io.rns.guard;

import org.glassfish.hk2.runlevel.ChangeableRunLevelFuture;
import org.glassfish.hk2.runlevel.ErrorInformation;
import org.glassfish.hk2.runlevel.RunLevelFuture;
import org.glassfish.hk2.runlevel.RunLevelListener;

/** Whether GlassFish has started its applications and does not stop them yet. */
public final class Availability implements RunLevelListener {
  /** Achieved when the applications that were deployed before have been started. */
  static final int STARTED = 10;

  private volatile boolean open;

  boolean isOpen() {
    return open;
  }

  void open() {
    open = true;
  }

  void close() {
    open = false;
  }

  /** Called by GlassFish at each step of its start and stop. */
  @Override
  public void onProgress(ChangeableRunLevelFuture future, int achieved) {
    if (future.isUp() && achieved >= STARTED) {
      open();
    } else {
      close();
    }
  }

  @Override
  public void onCancelled(RunLevelFuture future, int previous) {
    close();
  }

  /** One service of many that failed does not end the others. */
  @Override
  public void onError(RunLevelFuture future, ErrorInformation information) {}
}
