package io.rns.permission;

import io.rns.api.EffectiveAccess;
import io.rns.api.CallContext;
import io.rns.api.Caller;
import io.rns.api.NameService;
import io.rns.api.Right;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.client.PathAccess;
import io.rns.client.PathAccess.PathDirectory;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.identity.AccessMode;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What callers may do at paths of the whole tree, whichever server groups own them and whether or not there is an
 * entry: for what has a path and is not a request of a {@link NameService}. What does not exist has the rules of the
 * closest directory above it. Costs one query of all directories of the path, and nothing where everybody may do
 * everything.
 */
public final class AccessReader {
  private final AccessControl control;
  private final Supplier<NameService> names;

  /**
   * A reader.
   *
   * @param names the whole tree
   */
  public AccessReader(AccessControl control, Supplier<NameService> names) {
    this.control = control;
    this.names = names;
  }

  /** What callers may do. */
  public AccessControl control() {
    return control;
  }

  /**
   * What the directories of a path say of access.
   *
   * @throws RnsException if that cannot be known now
   */
  public PathAccess read(RnsPath path) {
    return PathAccess.read(names.get(), CallContext.SERVICE, path);
  }

  /**
   * Checks that a caller may use a right on the entry of a path, which need not exist.
   *
   * @throws RnsException {@link RnsError#NOT_PERMITTED}, or {@link RnsError#NO_SUCH_ENTRY} where the server hides what
   *         callers may not see
   */
  public void check(Caller caller, Right right, RnsPath path) {
    check(caller, right, path, path.isRoot() ? path : path.parent());
  }

  /** Whether a caller may use a right on the entry of a path. */
  public boolean has(Caller caller, Right right, RnsPath path) {
    CallerRights rights = control.of(caller);
    return rights.areAll() || lacking(rights, right, path, path.isRoot() ? path : path.parent()).isEmpty();
  }

  /** Whether a caller may use a right on the content of a directory, which need not exist. */
  public boolean hasIn(Caller caller, Right right, RnsPath directory) {
    CallerRights rights = control.of(caller);
    return rights.areAll() || lacking(rights, right, directory, directory).isEmpty();
  }

  /** The same as {@link #check} for the content of a directory. */
  public void checkIn(Caller caller, Right right, RnsPath directory) {
    check(caller, right, directory, directory);
  }

  private void check(Caller caller, Right right, RnsPath path, RnsPath directory) {
    CallerRights rights = control.of(caller);
    if (rights.areAll()) {
      return;
    }
    Optional<Lacking> lacking = lacking(rights, right, path, directory);
    if (lacking.isPresent()) {
      throw rights.refusal(Target.of(path), lacking.get().depth(), lacking.get().right()).toException();
    }
  }

  private record Lacking(int depth, Right right) {}

  /**
   * Whether a caller may list or read a directory, and so see the name of an entry.
   *
   * @param fromRoot the directories from the root to that one, as they were read
   * @param entry the path of the entry, which need not exist
   */
  public boolean seesName(Caller caller, List<PathDirectory> fromRoot, RnsPath entry) {
    CallerRights rights = control.of(caller);
    RnsPath directory = fromRoot.get(fromRoot.size() - 1).path();
    return rights.areAll() || lacking(rights, Right.READ, entry, directory, fromRoot).isEmpty()
        || lacking(rights, Right.LIST, entry, directory, fromRoot).isEmpty();
  }

  /** What the caller lacks to use a right in a directory, at a path of or in it. */
  private Optional<Lacking> lacking(CallerRights rights, Right right, RnsPath path, RnsPath directory) {
    return lacking(rights, right, path, directory, read(directory).directories());
  }

  private static Optional<Lacking> lacking(
      CallerRights rights, Right right, RnsPath path, RnsPath directory, List<PathDirectory> directories) {
    EffectiveAccess at = EffectiveAccess.NONE;
    for (PathDirectory each : directories) {
      if (!each.path().isRoot()) {
        RnsPath above = each.path().parent();
        if (!rights.permitsPassing(at, above::toString)) {
          return Optional.of(new Lacking(above.depth(), Right.READ));
        }
      }
      at = at.enter(each.directory(), each.access());
    }
    EffectiveAccess last = at;
    // Below a directory that exists, its rules hold, which have to let the caller pass.
    boolean isMissing = directories.size() <= directory.depth();
    if (isMissing && !rights.permitsPassing(last, directory::toString)) {
      return Optional.of(new Lacking(directories.size() - 1, Right.READ));
    }
    return rights.permits(right, () -> last, () -> Optional.of(path), directory::toString)
        ? Optional.empty()
        : Optional.of(new Lacking(directory.depth(), right));
  }

  /**
   * Whether a caller may operate the service as those may who have the secret of its operators: an administrator by the
   * settings, or by a rule of the root where rules hold. Where they do not, anybody may set them. Never the anonymous
   * caller.
   */
  public boolean mayOperate(Caller caller) {
    AccessDecisions decisions = AccessDecisions.current();
    if (control.policy().mayOperate(caller)) {
      if (decisions != null) {
        decisions.add(AccessDecisions.Decision.by(AccessDecisions.ADMINISTRATOR));
      }
      return true;
    }
    if (control.policy().mode() != AccessMode.CLOSED || caller.name().isEmpty()
        || !caller.isWithinLimits(Right.ADMIN, RnsPath.ROOT)) {
      return false;
    }
    EffectiveAccess atRoot = read(RnsPath.ROOT).effective();
    boolean grants = atRoot.grants(caller, Right.ADMIN);
    if (grants && decisions != null) {
      decisions.addGrant(caller, Right.ADMIN, atRoot, RnsPath.ROOT.toString());
    }
    return grants;
  }

  /**
   * Whether a caller may operate the service without a signature.
   *
   * @throws RnsException {@link RnsError#NOT_AUTHENTICATED} or {@link RnsError#NOT_PERMITTED} if it may not where rules
   *         hold
   */
  public boolean admitsOperator(Caller caller) {
    if (mayOperate(caller)) {
      return true;
    }
    if (control.policy().mode() == AccessMode.CLOSED) {
      checkSeesService(caller);
    }
    return false;
  }

  /**
   * Checks that a caller may see what concerns the whole service; the same where rules hold, and anybody where they do
   * not.
   *
   * @throws RnsException {@link RnsError#NOT_PERMITTED}
   */
  public void checkSeesService(Caller caller) {
    check(caller, Right.ADMIN, RnsPath.ROOT, RnsPath.ROOT);
  }
}
