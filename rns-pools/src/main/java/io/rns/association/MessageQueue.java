package io.rns.association;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** Messages that wait, in order. Knows its memory, and gives it back when it is empty. */
final class MessageQueue implements Iterable<byte[]> {
  /** Of each message beside its bytes: the header of the array, and places in the queue. */
  private static final int BYTES_OF_MESSAGE = 40;

  private static final int FEW = 16;

  private Queue<byte[]> messages = new ArrayDeque<>(FEW);
  private boolean isLarge;
  private long bytes;

  void add(byte[] message) {
    messages.add(message);
    bytes += message.length + BYTES_OF_MESSAGE;
    isLarge |= messages.size() > FEW;
  }

  /** The first message; null if there is none. */
  byte @Nullable [] peek() {
    return messages.peek();
  }

  /** Removes the first message; null if there is none. */
  byte @Nullable [] poll() {
    byte[] first = messages.poll();
    if (first != null) {
      bytes -= first.length + BYTES_OF_MESSAGE;
      if (isLarge && messages.isEmpty()) {
        clear();
      }
    }
    return first;
  }

  boolean isEmpty() {
    return messages.isEmpty();
  }

  /** Its memory; 0 if it is empty. */
  long bytes() {
    return bytes;
  }

  /** Drops all messages. */
  void clear() {
    messages = new ArrayDeque<>(FEW);
    isLarge = false;
    bytes = 0;
  }

  @Override
  public Iterator<byte[]> iterator() {
    return messages.iterator();
  }
}
