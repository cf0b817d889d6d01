package io.rns.server.store;

import io.rns.api.AddRequest;
import io.rns.api.Answer;
import io.rns.api.Entry;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.Metadata;
import io.rns.api.Outcome;
import io.rns.api.Position;
import io.rns.api.Refusal;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.api.WriteRequest;
import io.rns.error.RnsError;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The form of a write's answer in a column. Content that the request itself carries (references and metadata of an
 * addition) is not kept a second time: a repetition brings it along.
 */
public final class AnswerColumn {
  /** An entry with its references and metadata. */
  private static final int DONE = 0;
  /** An entry without them: the request has them. */
  private static final int DONE_AS_GIVEN = 12;

  private static final int DIRECTORY = 0;
  private static final int JUNCTION = 1;
  private static final int DELEGATED = 2;

  /** Group, epoch and sequence of the position. */
  private static final int HEAD_BYTES = 2 * Integer.BYTES + Long.BYTES;

  /** In place of the directory of the root, which is in none. */
  private static final long OF_ROOT = 0;

  private AnswerColumn() {}

  /** An answer to bytes. */
  public static byte[] write(WriteRequest request, Answer<List<Outcome<Entry>>> answer) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(size(request, answer.value()));
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(answer.position().group());
      out.writeInt(answer.position().epoch());
      out.writeLong(answer.position().sequence());
      for (int i = 0; i < answer.value().size(); i++) {
        switch (answer.value().get(i)) {
          case Outcome.Done<Entry>(Entry entry) -> {
            // Not where the service has added who owns a directory.
            boolean given = request instanceof AddRequest add
                && add.entries().get(i).metadata().equals(entry.metadata());
            out.writeByte(given ? DONE_AS_GIVEN : DONE);
            writeEntry(out, entry, !given);
          }
          case Outcome.Refused<Entry>(Refusal refusal) -> writeRefusal(out, refusal);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** About how large the form is: it may have megabytes, which would be copied while it grows. */
  private static int size(WriteRequest request, List<Outcome<Entry>> outcomes) {
    long size = 64L * outcomes.size();
    if (!(request instanceof AddRequest)) {
      for (Outcome<Entry> outcome : outcomes) {
        size += outcome instanceof Outcome.Done<Entry>(Entry entry) ? 64 + EntryTable.contentBytes(entry) : 64;
      }
    }
    return Math.toIntExact(size);
  }

  /** Bytes to the answer of the same request. */
  public static Answer<List<Outcome<Entry>>> read(WriteRequest request, byte[] column) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(column))) {
      Position position = new Position(in.readInt(), in.readInt(), in.readLong());
      List<Outcome<Entry>> outcomes = new ArrayList<>(request.size());
      for (int i = 0; i < request.size(); i++) {
        int code = in.readByte();
        outcomes.add(
            code == DONE || code == DONE_AS_GIVEN
                ? Outcome.done(readEntry(in, code == DONE ? null : request, i))
                : Outcome.refused(readRefusal(in, code)));
      }
      return Answer.of(outcomes, position);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The outcome of one item of a batch, in its form in a column.
   *
   * @param done the place and the identity of the entry that it was about; empty if it was refused
   */
  @SuppressWarnings("ArrayRecordComponent") // compared nowhere
  public record ItemOutcome(byte[] bytes, Optional<DoneItem> done, Optional<Refusal> refusal) {
    /** Whether it was refused because another server group has what it is about. */
    public boolean isElsewhere() {
      return refusal.filter(
          why -> why instanceof Refusal.Delegated || (why instanceof Refusal.NoSuchEntry none && none.missing() == 0))
          .isPresent();
    }

    /** What was done, in an answer to a request that has the same item at some place. */
    public Entry entry(WriteRequest request, int item) {
      try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
        int code = in.readByte();
        return readEntry(in, code == DONE ? null : request, item);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /**
   * An entry as it was changed by an item.
   *
   * @param directory of it, as a number: 0 for the root, which is in none
   * @param needsRequest whether only the request has all of it
   */
  public record DoneItem(long directory, String name, EntryId entry, boolean needsRequest) {}

  /** The outcomes in an answer, whatever the request was, and those that {@link #with} added to it. */
  public static List<ItemOutcome> items(byte[] column) {
    List<ItemOutcome> items = new ArrayList<>();
    ByteBuffer in = ByteBuffer.wrap(column);
    skip(in, HEAD_BYTES);
    while (in.hasRemaining()) {
      int from = in.position();
      int code = in.get();
      Optional<DoneItem> done = Optional.empty();
      Optional<Refusal> refusal = Optional.empty();
      if (code == DONE || code == DONE_AS_GIVEN) {
        int kind = in.get();
        long directory = in.getLong();
        byte[] name = new byte[in.getInt()];
        in.get(name);
        EntryId entry = new EntryId(in.getLong());
        done = Optional.of(
            new DoneItem(directory, new String(name, StandardCharsets.UTF_8), entry, code == DONE_AS_GIVEN));
        skipRest(in, code, kind, 3 * Long.BYTES);
      } else {
        refusal = Optional.of(nextRefusal(in, code));
      }
      items.add(new ItemOutcome(Arrays.copyOfRange(column, from, in.position()), done, refusal));
    }
    return items;
  }

  /** An answer with outcomes of items that its request does not have: who reads it for that does not see them. */
  public static byte[] with(byte[] column, List<ItemOutcome> more) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(column);
    more.forEach(each -> bytes.writeBytes(each.bytes()));
    return bytes.toByteArray();
  }

  /**
   * The directories of the entries in an answer, whatever the request was. A move of content asks this of all answers
   * of the last hour, so it makes nothing else.
   */
  public static Set<EntryId> directories(byte[] column) {
    Set<EntryId> directories = Set.of();
    ByteBuffer in = ByteBuffer.wrap(column);
    skip(in, HEAD_BYTES);
    while (in.hasRemaining()) {
      int code = in.get();
      if (code == DONE || code == DONE_AS_GIVEN) {
        int kind = in.get();
        long directory = in.getLong();
        if (directory != OF_ROOT) {
          directories = with(directories, new EntryId(directory));
        }
        skip(in, in.getInt());
        skipRest(in, code, kind, 4 * Long.BYTES);
      } else {
        Refusal unused = nextRefusal(in, code);
      }
    }
    return directories;
  }

  /** Skips what follows the place of an entry. */
  private static void skipRest(ByteBuffer in, int code, int kind, int numbers) {
    skip(in, numbers + (kind == DELEGATED ? Integer.BYTES : 0));
    if (code == DONE) {
      skip(in, in.getInt());
      skip(in, kind == JUNCTION ? in.getInt() : 0);
    }
  }

  /** Most answers are about entries of one directory. */
  private static Set<EntryId> with(Set<EntryId> known, EntryId next) {
    if (known.isEmpty() || known.contains(next)) {
      return known.isEmpty() ? Set.of(next) : known;
    }
    Set<EntryId> more = known.size() > 1 ? known : new HashSet<>(known);
    more.add(next);
    return more;
  }

  private static void skip(ByteBuffer in, int bytes) {
    in.position(in.position() + bytes);
  }

  private static Refusal nextRefusal(ByteBuffer in, int code) {
    int from = in.arrayOffset() + in.position();
    try (ByteArrayInputStream bytes = new ByteArrayInputStream(in.array(), from, in.remaining());
        DataInputStream refusal = new DataInputStream(bytes)) {
      Refusal next = readRefusal(refusal, code);
      in.position(in.limit() - bytes.available());
      return next;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static void writeEntry(DataOutputStream out, Entry entry, boolean withContent) throws IOException {
    out.writeByte(kind(entry));
    out.writeLong(entry.isRoot() ? OF_ROOT : entry.binding().parent().value());
    writeText(out, entry.isRoot() ? "" : entry.binding().name().toString());
    out.writeLong(entry.id().value());
    out.writeLong(entry.version());
    out.writeLong(EntryTable.micros(entry.created()));
    out.writeLong(EntryTable.micros(entry.modified()));
    if (entry instanceof Entry.VirtualDirectory directory && directory.owner().isPresent()) {
      out.writeInt(directory.owner().getAsInt());
    }
    if (withContent) {
      writeText(out, entry.metadata().xml());
      if (entry instanceof Entry.Junction junction) {
        byte[] references = ReferencesColumn.write(junction.references());
        out.writeInt(references.length);
        out.write(references);
      }
    }
  }

  private static int kind(Entry entry) {
    return switch (entry) {
      case Entry.VirtualDirectory directory -> directory.owner().isPresent() ? DELEGATED : DIRECTORY;
      case Entry.Junction junction -> JUNCTION;
    };
  }

  static Entry readEntry(DataInputStream in, @Nullable WriteRequest request, int item) throws IOException {
    int kind = in.readByte();
    long parent = in.readLong();
    String name = readText(in);
    EntryId id = new EntryId(in.readLong());
    long version = in.readLong();
    Instant created = EntryTable.instant(in.readLong());
    Instant modified = EntryTable.instant(in.readLong());
    OptionalInt owner = kind == DELEGATED ? OptionalInt.of(in.readInt()) : OptionalInt.empty();
    AddRequest.NewEntry given = request instanceof AddRequest add ? add.entries().get(item) : null;
    Metadata metadata = given != null ? given.metadata() : Metadata.stored(readText(in));
    if (parent == OF_ROOT) {
      return new Entry.VirtualDirectory(null, id, version, created, modified, metadata, -1);
    }
    Entry.Binding binding = new Entry.Binding(new EntryId(parent), EntryName.of(name));
    if (kind != JUNCTION) {
      return new Entry.VirtualDirectory(binding, id, version, created, modified, metadata, -1, owner);
    }
    var references = given != null ? given.references() : ReferencesColumn.read(in.readNBytes(in.readInt()));
    return new Entry.Junction(binding, id, version, created, modified, metadata, references);
  }

  private static void writeRefusal(DataOutputStream out, Refusal refusal) throws IOException {
    switch (refusal) {
      case Refusal.NoSuchEntry r -> head(out, 1, r).writeInt(r.missing());
      case Refusal.EntryExists r -> writeTarget(head(out, 2, r), r.existing());
      case Refusal.NotDirectory r -> head(out, 3, r).writeInt(r.junction());
      case Refusal.IsDirectory r -> head(out, 4, r);
      case Refusal.NotEmpty r -> head(out, 5, r).writeLong(r.entries());
      case Refusal.VersionMismatch r -> {
        head(out, 6, r).writeLong(r.expected());
        out.writeLong(r.actual());
      }
      case Refusal.MoveIntoSelf r -> writeTarget(head(out, 7, r), r.parent());
      case Refusal.RootIsFixed r -> head(out, 8, r);
      case Refusal.NotApplied r -> head(out, 9, r);
      case Refusal.Delegated r -> {
        head(out, 11, r).writeInt(r.depth());
        out.writeInt(r.group());
        out.writeLong(r.directory().value());
      }
      case Refusal.Invalid r -> {
        writeText(head(out, 10, r), r.error().name());
        writeText(out, r.message());
      }
    }
  }

  private static DataOutputStream head(DataOutputStream out, int code, Refusal refusal) throws IOException {
    out.writeByte(code);
    writeTarget(out, refusal.target());
    return out;
  }

  private static Refusal readRefusal(DataInputStream in, int code) throws IOException {
    Target target = readTarget(in);
    return switch (code) {
      case 1 -> new Refusal.NoSuchEntry(target, in.readInt());
      case 2 -> new Refusal.EntryExists(target, readTarget(in));
      case 3 -> new Refusal.NotDirectory(target, in.readInt());
      case 4 -> new Refusal.IsDirectory(target);
      case 5 -> new Refusal.NotEmpty(target, in.readLong());
      case 6 -> new Refusal.VersionMismatch(target, in.readLong(), in.readLong());
      case 7 -> new Refusal.MoveIntoSelf(target, readTarget(in));
      case 8 -> new Refusal.RootIsFixed(target);
      case 9 -> new Refusal.NotApplied(target);
      case 10 -> new Refusal.Invalid(target, RnsError.valueOf(readText(in)), readText(in));
      case 11 -> new Refusal.Delegated(target, in.readInt(), in.readInt(), new EntryId(in.readLong()));
      default -> throw new IOException("unknown refusal " + code + " in an answer");
    };
  }

  static void writeTarget(DataOutputStream out, Target target) throws IOException {
    out.writeLong(target.start().value());
    writeText(out, target.path().toString());
  }

  static Target readTarget(DataInputStream in) throws IOException {
    return new Target(new EntryId(in.readLong()), RnsPath.parse(readText(in)));
  }

  static void writeText(DataOutputStream out, String text) throws IOException {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    out.writeInt(utf8.length);
    out.write(utf8);
  }

  static String readText(DataInputStream in) throws IOException {
    return new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
  }
}
