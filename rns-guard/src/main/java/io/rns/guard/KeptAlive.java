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
 * Removes closed connections from Grizzly's list of idle ones. Grizzly itself keeps them until their timeout, 30 s at
 * some 4 KB each: a client that constantly opens and closes connections would fill the heap.
 */
final class KeptAlive extends BaseFilter {
  private static final Field QUEUE = queue();

  private final Attribute<Object> waiting;

  /** Null in a Grizzly without timers, which has no list. */
  private final @Nullable DelayQueue<Object> queue;

  KeptAlive(HttpServerFilter codec) {
    // Identified by its name as that of the codec.
    waiting = Grizzly.DEFAULT_ATTRIBUTE_BUILDER.createAttribute("HttpServerFilter.KeepAliveContext");
    queue = queue(codec);
  }

  @SuppressWarnings("unchecked")
  private static @Nullable DelayQueue<Object> queue(HttpServerFilter codec) {
    try {
      return (DelayQueue<Object>) QUEUE.get(codec);
    } catch (IllegalAccessException e) {
      throw new LinkageError("this Grizzly version hides its idle connections", e);
    }
  }

  private static Field queue() {
    try {
      Field field = HttpServerFilter.class.getDeclaredField("keepAliveQueue");
      field.setAccessible(true);
      return field;
    } catch (NoSuchFieldException e) {
      throw new LinkageError("this Grizzly version stores its idle connections elsewhere", e);
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
