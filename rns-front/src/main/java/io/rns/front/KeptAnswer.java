package io.rns.front;

import io.rns.api.Consistency;
import io.rns.api.Position;
import io.rns.error.RnsException;
import io.rns.front.ChangeMarks.Slots;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * An answer that a front keeps.
 *
 * @param on what it depends on, first of the group that has the entry
 * @param own the position of that group, which it shows
 * @param others what it shows of other groups, with a comma before it; perhaps empty
 * @param consistency of all messages that ask for it; null for another read, which says it itself
 * @param lines of its head, without position, age and length
 * @param body up to them, if it has them
 * @param rest of the body
 */
@SuppressWarnings("ArrayRecordComponent") // never changed, never compared
record KeptAnswer(
    List<Dependence> on, String own, String others, @Nullable Consistency consistency, byte[] lines, byte[] body,
    byte[] rest) {
  /** Of objects, beside their bytes. */
  private static final int OVERHEAD = 256;

  /**
   * What an answer depends on of one group.
   *
   * @param at a position since which any change of the answer is noted
   * @param path the part of the path that the group owns, as its log names it
   * @param slots of that path
   */
  record Dependence(Position at, String path, Slots slots) {
    private static final char BEFORE_PATH = '=';

    /**
     * As servers write it.
     *
     * @throws IllegalArgumentException if it is none
     */
    static Dependence parse(String text) {
      int end = text.indexOf(BEFORE_PATH);
      if (end < 0) {
        throw new IllegalArgumentException("no position and path: " + text);
      }
      return of(text.substring(0, end), URLDecoder.decode(text.substring(end + 1), StandardCharsets.UTF_8));
    }

    private static Dependence of(String position, String path) {
      if (!path.startsWith("/")) {
        throw new IllegalArgumentException("not a path: " + path);
      }
      return new Dependence(Position.parse(position), path, Slots.of(path));
    }

    /** The same at a later position, up to which nothing has changed. */
    Dependence since(Position later) {
      return later.sequence() > at.sequence() ? new Dependence(later, path, slots) : this;
    }
  }

  KeptAnswer {
    on = List.copyOf(on);
  }

  /** What it takes in memory, about. */
  int weight(String key) {
    int dependences = on.stream().mapToInt(each -> 4 * each.slots().above().length + each.path().length()).sum();
    return OVERHEAD * on.size() + 2 * key.length() + dependences + lines.length + body.length + rest.length;
  }

  /** The same as of later positions, up to which nothing has changed it. */
  KeptAnswer since(List<Position> later) {
    List<Dependence> since = new ArrayList<>(on.size());
    for (int i = 0; i < on.size(); i++) {
      since.add(on.get(i).since(later.get(i)));
    }
    return new KeptAnswer(since, since.getFirst().at().toString(), others, consistency, lines, body, rest);
  }

  /** For another process, which {@link #read}s it. */
  void write(DataOutputStream out) throws IOException {
    out.writeByte(on.size());
    for (Dependence each : on) {
      out.writeUTF(each.at().toString());
      Buffers.write(out, each.path().getBytes(StandardCharsets.UTF_8));
    }
    out.writeUTF(others);
    out.writeUTF(consistency == null ? "" : consistency.toString());
    Buffers.write(out, lines);
    Buffers.write(out, body);
    Buffers.write(out, rest);
  }

  /**
   * Reads what {@link #write} has written.
   *
   * @throws IOException if it is something else
   */
  static KeptAnswer read(DataInputStream in) throws IOException {
    try {
      int count = in.readUnsignedByte();
      if (count > ChangeFollowers.MOST) {
        throw new IOException("an answer of " + count + " server groups");
      }
      List<Dependence> on = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        on.add(Dependence.of(in.readUTF(), new String(Buffers.read(in), StandardCharsets.UTF_8)));
      }
      String others = in.readUTF();
      String consistency = in.readUTF();
      return new KeptAnswer(on, on.getFirst().at().toString(), others,
          consistency.isEmpty() ? null : Consistency.parse(consistency), Buffers.read(in), Buffers.read(in),
          Buffers.read(in));
    } catch (RnsException | IllegalArgumentException | NoSuchElementException e) {
      throw new IOException("no answer: " + e.getMessage(), e);
    }
  }
}
