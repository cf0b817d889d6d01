package io.rns.wire;

import io.rns.api.EntryId;
import io.rns.api.Refusal;
import io.rns.api.Refusal.Delegated;
import io.rns.api.Refusal.EntryExists;
import io.rns.api.Refusal.Invalid;
import io.rns.api.Refusal.IsDirectory;
import io.rns.api.Refusal.MoveIntoSelf;
import io.rns.api.Refusal.NoSuchEntry;
import io.rns.api.Refusal.NotApplied;
import io.rns.api.Refusal.NotDirectory;
import io.rns.api.Refusal.NotEmpty;
import io.rns.api.Refusal.RootIsFixed;
import io.rns.api.Refusal.VersionMismatch;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import org.jspecify.annotations.Nullable;

/** {@code x:refusal}: the exact refusal, so that a client receives the same value as the service returned. */
final class RefusalCodec {
  private RefusalCodec() {}

  static void write(XmlBuffer out, Refusal refusal) {
    out.raw("<_x:refusal").attribute("code", refusal.error().name());
    target(out, "start", "path", refusal.target());
    String text = "";
    if (refusal instanceof NoSuchEntry r) {
      out.attribute("missing", r.missing());
    } else if (refusal instanceof NotDirectory r) {
      out.attribute("missing", r.junction());
    } else if (refusal instanceof EntryExists r) {
      target(out, "other-start", "other-path", r.existing());
    } else if (refusal instanceof MoveIntoSelf r) {
      target(out, "other-start", "other-path", r.parent());
    } else if (refusal instanceof NotEmpty r) {
      out.attribute("entries", r.entries());
    } else if (refusal instanceof VersionMismatch r) {
      out.attribute("expected", r.expected()).attribute("actual", r.actual());
    } else if (refusal instanceof Delegated r) {
      out.attribute("missing", r.depth()).attribute("group", r.group()).attribute("directory",
          r.directory().toString());
    } else if (refusal instanceof Invalid r) {
      text = Faults.clean(r.message());
    }
    out.raw(">").text(text).raw("</_x:refusal>");
  }

  private static void target(XmlBuffer out, String start, String path, Target target) {
    if (!target.start().equals(EntryId.ROOT)) {
      out.attribute(start, target.start().toString());
    }
    out.attribute(path, target.path().toString());
  }

  /** Reads a refusal; null if it is unknown here, as sent by a newer server. */
  static @Nullable Refusal read(XmlPull pull) {
    RnsError error = Faults.errorNamed(pull.attribute("", "code"));
    Target target = target(pull, "start", "path");
    Target other = target(pull, "other-start", "other-path");
    int missing = depth(pull, target);
    long entries = number(pull, "entries");
    long expected = number(pull, "expected");
    long actual = number(pull, "actual");
    int group = (int) Math.min(number(pull, "group"), Integer.MAX_VALUE);
    String directory = pull.attribute("", "directory");
    String text = pull.text();
    if (error == null) {
      return null;
    }
    if (!text.isEmpty()) {
      return new Invalid(target, error, text);
    }
    return switch (error) {
      case NO_SUCH_ENTRY -> new NoSuchEntry(target, missing);
      case ENTRY_EXISTS -> new EntryExists(target, other);
      case NOT_DIRECTORY -> new NotDirectory(target, missing);
      case IS_DIRECTORY -> new IsDirectory(target);
      case NOT_EMPTY -> new NotEmpty(target, entries);
      case VERSION_MISMATCH -> new VersionMismatch(target, expected, actual);
      case MOVE_INTO_SELF -> new MoveIntoSelf(target, other);
      case ROOT_IS_FIXED -> new RootIsFixed(target);
      case NOT_APPLIED -> new NotApplied(target);
      case DELEGATED ->
        new Delegated(target, missing, group, directory == null ? target.start() : EntryId.parse(directory));
      case NOT_PERMITTED,
          NOT_AUTHENTICATED,
          INVALID_NAME,
          INVALID_PATH,
          INVALID_CURSOR,
          INVALID_REQUEST,
          LIMIT_EXCEEDED,
          MALFORMED_MESSAGE,
          UNKNOWN_OPERATION,
          REQUEST_ID_REUSED,
          NO_SUCH_POOL,
          OTHER_POLICY,
          ELEMENT_ID_TAKEN,
          NOT_PRIMARY,
          BUSY,
          UNAVAILABLE,
          TIMEOUT,
          STORAGE_FULL,
          INTERNAL ->
        new Invalid(target, error, text);
    };
  }

  private static Target target(XmlPull pull, String start, String path) {
    String id = pull.attribute("", start);
    String names = pull.attribute("", path);
    return new Target(
        id == null ? EntryId.ROOT : EntryId.parse(id), names == null ? RnsPath.ROOT : RnsPath.parse(names));
  }

  /** The number of names of the target's path up to the one the refusal is about. */
  private static int depth(XmlPull pull, Target target) {
    long depth = number(pull, "missing");
    if (depth < 0 || depth > target.path().depth()) {
      throw new RnsException(
          RnsError.MALFORMED_MESSAGE,
          "attribute 'missing' is " + depth + ", and the path has " + target.path().depth() + " names");
    }
    return (int) depth;
  }

  private static long number(XmlPull pull, String name) {
    String text = pull.attribute("", name);
    return text == null ? 0 : Markup.number("attribute '" + name + "'", text);
  }
}
