package io.rns.guard;

import java.io.IOException;
import java.lang.reflect.Field;
import org.glassfish.grizzly.Grizzly;
import org.glassfish.grizzly.attributes.Attribute;
import org.glassfish.grizzly.filterchain.BaseFilter;
import org.glassfish.grizzly.filterchain.FilterChainContext;
import org.glassfish.grizzly.filterchain.NextAction;
import org.glassfish.grizzly.http.HttpServerFilter;
import org.glassfish.grizzly.utils.DelayedExecutor.DelayQueue;
import org.jspecify.annotations.Nullable;

/**
 * Takes connections that are closed off the list of those that wait for their next request. Grizzly leaves them there
 * until their time is over, half a minute with some 4 KB each: who opens and closes connections all the time would fill
 * the heap with them.
 */
final class KeptAlive extends BaseFilter {
  private static final Field QUEUE = queue();

  private final Attribute<Object> waiting;

  /** Null in a Grizzly without timers, which keeps no list. */
  private final @Nullable DelayQueue<Object> queue;

  KeptAlive(HttpServerFilter codec) {
    // By its name it is the codec's own.
    waiting = Grizzly.DEFAULT_ATTRIBUTE_BUILDER.createAttribute("HttpServerFilter.KeepAliveContext");
    queue = queue(codec);
  }

  @SuppressWarnings("unchecked")
  private static @Nullable DelayQueue<Object> queue(HttpServerFilter codec) {
    try {
      return (DelayQueue<Object>) QUEUE.get(codec);
    } catch (IllegalAccessException e) {
      throw new LinkageError("this Grizzly hides which connections wait for requests", e);
    }
  }

  private static Field queue() {
    try {
      Field field = HttpServerFilter.class.getDeclaredField("keepAliveQueue");
      field.setAccessible(true);
      return field;
    } catch (NoSuchFieldException e) {
      throw new LinkageError("this Grizzly keeps elsewhere which connections wait for requests", e);
    }
  }

  @Override
  public NextAction handleClose(FilterChainContext ctx) throws IOException {
    Object closed = waiting.get(ctx.getConnection());
    if (closed != null && queue != null) {
      queue.remove(closed);
    }
    return ctx.getInvokeAction();
  }
}
