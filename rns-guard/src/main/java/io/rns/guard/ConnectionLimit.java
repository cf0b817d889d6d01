package io.rns.guard;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.glassfish.grizzly.filterchain.BaseFilter;
import org.glassfish.grizzly.filterchain.FilterChainContext;
import org.glassfish.grizzly.filterchain.NextAction;

/** Closes connections beyond a maximum number on arrival, before the process runs out of file descriptors. */
final class ConnectionLimit extends BaseFilter {
  private final int most;
  private final AtomicInteger open = new AtomicInteger();

  ConnectionLimit(int most) {
    this.most = most;
  }

  @Override
  public NextAction handleAccept(FilterChainContext ctx) throws IOException {
    if (open.incrementAndGet() > most) {
      ctx.getConnection().closeSilently();
    }
    return ctx.getInvokeAction();
  }

  @Override
  public NextAction handleClose(FilterChainContext ctx) throws IOException {
    open.decrementAndGet();
    return ctx.getInvokeAction();
  }
}
