package io.rns.client;

import io.rns.api.AccessRule;
import io.rns.api.AccessRules;
import io.rns.api.CallContext;
import io.rns.api.Caller;
import io.rns.api.EffectiveAccess;
import io.rns.api.Entry;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryId;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.QueryRequest;
import io.rns.api.Refusal;
import io.rns.api.Right;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the directories of a path say of access, from the root down to the path, and what follows from that for callers.
 * Leaves aside the administrators in a server's settings, and whether it enforces rules. Immutable.
 */
public final class PathAccess {
  private final RnsPath path;
  private final List<PathDirectory> directories;

  private PathAccess(RnsPath path, List<PathDirectory> directories) {
    this.path = path;
    this.directories = List.copyOf(directories);
  }

  /**
   * A directory of the path.
   *
   * @param access what it says of access
   */
  public record PathDirectory(RnsPath path, EntryId directory, AccessRules access) {}

  /**
   * Why a caller has a right, or lacks it.
   *
   * @param permitted whether the caller has the right in the last directory, and may pass to it
   * @param from the directory whose rules or owner decide; if the caller may not pass, the first that stops it
   * @param rule the rule that grants the right; empty for an owner, or without the right
   */
  public record Reason(Right right, boolean permitted, RnsPath from, Optional<AccessRule> rule) {}

  /**
   * Reads the directories of a path, in one query.
   *
   * @param call with the rights to read them
   * @throws RnsException {@link RnsError#NOT_PERMITTED}, or if a part of the path cannot be read now
   */
  public static PathAccess read(NameService names, CallContext call, RnsPath path) {
    return of(path, names.query(call, request(path)).value());
  }

  /** Asks for the directories of a path. */
  public static QueryRequest request(RnsPath path) {
    List<Target> targets = new ArrayList<>(path.depth() + 1);
    for (int depth = 0; depth <= path.depth(); depth++) {
      targets.add(Target.of(path.prefix(depth)));
    }
    return new QueryRequest(targets, false);
  }

  /**
   * What follows from the answer to {@link #request}.
   *
   * @throws RnsException {@link RnsError#NOT_PERMITTED}, or if a part of the path was not read
   */
  public static PathAccess of(RnsPath path, List<Outcome<Entry>> outcomes) {
    List<PathDirectory> found = new ArrayList<>();
    for (Outcome<Entry> outcome : outcomes) {
      if (!(outcome instanceof Outcome.Done<Entry> done)) {
        Refusal refusal = ((Outcome.Refused<Entry>) outcome).refusal();
        if (refusal.error() == RnsError.NO_SUCH_ENTRY || refusal.error() == RnsError.NOT_DIRECTORY) {
          break;
        }
        throw refusal.toException();
      }
      if (!(done.value() instanceof VirtualDirectory)) {
        break;
      }
      Entry directory = done.value();
      found.add(new PathDirectory(path.prefix(found.size()), directory.id(), directory.metadata().access()));
    }
    return new PathAccess(path, found);
  }

  /** The path. */
  public RnsPath path() {
    return path;
  }

  /** The directories from the root down to the path, as far as they exist. */
  public List<PathDirectory> directories() {
    return directories;
  }

  /** The closest directory: that of the path, or the last above it. */
  public PathDirectory last() {
    if (directories.isEmpty()) {
      throw new RnsException(RnsError.NO_SUCH_ENTRY, "the tree has no root");
    }
    return directories.get(directories.size() - 1);
  }

  /** What holds in the last directory. */
  public EffectiveAccess effective() {
    EffectiveAccess at = EffectiveAccess.NONE;
    for (PathDirectory each : directories) {
      at = at.enter(each.directory(), each.access());
    }
    return at;
  }

  /** The directory whose rules hold; the root if there are none. */
  public RnsPath rulesAt() {
    return at(effective().rulesAt());
  }

  private RnsPath at(EntryId directory) {
    return directories.stream().filter(each -> each.directory().equals(directory)).findFirst()
        .map(PathDirectory::path).orElse(RnsPath.ROOT);
  }

  /** The reasons for each right of a caller, in the order of the rights. */
  public List<Reason> reasons(Caller caller) {
    EffectiveAccess at = EffectiveAccess.NONE;
    Optional<RnsPath> stop = Optional.empty();
    for (PathDirectory each : directories) {
      if (!each.path().isRoot() && stop.isEmpty() && !at.grants(caller, Right.READ)) {
        stop = Optional.of(each.path().parent());
      }
      at = at.enter(each.directory(), each.access());
    }
    List<Reason> reasons = new ArrayList<>();
    for (Right right : Right.values()) {
      Optional<EffectiveAccess.Grant> grant = at.granting(caller, right);
      RnsPath deciding = grant.map(found -> at(found.directory())).orElseGet(this::rulesAt);
      reasons.add(
          new Reason(
              right, grant.isPresent() && stop.isEmpty(), stop.orElse(deciding),
              stop.isPresent() ? Optional.empty() : grant.flatMap(EffectiveAccess.Grant::rule)));
    }
    return reasons;
  }
}
