package io.rns.guard;

import org.glassfish.hk2.runlevel.ChangeableRunLevelFuture;
import org.glassfish.hk2.runlevel.ErrorInformation;
import org.glassfish.hk2.runlevel.RunLevelFuture;
import org.glassfish.hk2.runlevel.RunLevelListener;

/** Whether GlassFish has started its applications and is not stopping them. */
public final class Availability implements RunLevelListener {
  /** The run level at which all previously deployed applications are running. */
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

  /** Called by GlassFish at each step of startup and shutdown. */
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

  /** A single failed service does not stop the others. */
  @Override
  public void onError(RunLevelFuture future, ErrorInformation information) {}
}
