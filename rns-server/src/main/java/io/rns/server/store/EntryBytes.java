package io.rns.server.store;

import io.rns.api.Entry;
import io.rns.api.Entry.Binding;
import io.rns.api.Entry.Junction;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.Metadata;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * Entries as bytes, on their way to the database of another server group. The form of one: directory (8), name,
 * identity (8), version (8), when it was created and modified (8 each, microseconds), owner of its content (4; -1 this
 * group, -2 a junction), metadata, references of a junction. Texts and references begin with their length (4).
 */
public final class EntryBytes {
  private static final int OWN = -1;
  private static final int JUNCTION = -2;

  private EntryBytes() {}

  /** Entries other than the root to bytes. */
  public static byte[] write(List<Entry> entries) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(256 * entries.size());
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      for (Entry entry : entries) {
        write(out, entry);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static void write(DataOutputStream out, Entry entry) throws IOException {
    out.writeLong(entry.binding().parent().value());
    write(out, entry.binding().name().utf8());
    out.writeLong(entry.id().value());
    out.writeLong(entry.version());
    out.writeLong(EntryTable.micros(entry.created()));
    out.writeLong(EntryTable.micros(entry.modified()));
    out.writeInt(entry instanceof VirtualDirectory directory ? directory.owner().orElse(OWN) : JUNCTION);
    write(out, entry.metadata().xml().getBytes(StandardCharsets.UTF_8));
    if (entry instanceof Junction junction) {
      write(out, ReferencesColumn.write(junction.references()));
    }
  }

  private static void write(DataOutputStream out, byte[] bytes) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  /**
   * Bytes to entries.
   *
   * @throws UncheckedIOException if they are none
   */
  public static List<Entry> read(byte[] bytes) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      List<Entry> entries = new ArrayList<>();
      while (in.available() > 0) {
        entries.add(readEntry(in));
      }
      return entries;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Entry readEntry(DataInputStream in) throws IOException {
    EntryId parent = new EntryId(in.readLong());
    Binding binding = new Binding(parent, EntryName.ofUtf8(readBytes(in)));
    EntryId id = new EntryId(in.readLong());
    long version = in.readLong();
    Instant created = EntryTable.instant(in.readLong());
    Instant modified = EntryTable.instant(in.readLong());
    int owner = in.readInt();
    byte[] xml = readBytes(in);
    Metadata metadata = xml.length == 0 ? Metadata.NONE : Metadata.stored(new String(xml, StandardCharsets.UTF_8));
    if (owner == JUNCTION) {
      return new Junction(
          binding, id, version, created, modified, metadata, ReferencesColumn.read(readBytes(in)));
    }
    OptionalInt of = owner == OWN ? OptionalInt.empty() : OptionalInt.of(owner);
    return new VirtualDirectory(binding, id, version, created, modified, metadata, -1, of);
  }

  private static byte[] readBytes(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > in.available()) {
      throw new IOException(length + " bytes are announced, " + in.available() + " are left");
    }
    return in.readNBytes(length);
  }
}
