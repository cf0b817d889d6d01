package io.rns.permission;

import io.rns.api.EffectiveAccess;
import io.rns.api.Caller;
import io.rns.api.Refusal;
import io.rns.api.Right;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.identity.AccessMode;
import io.rns.permission.AccessDecisions.Decision;
import java.util.Optional;
import java.util.function.Supplier;

/** What one caller may do, given what holds in a directory. Immutable. */
public final class CallerRights {
  /** Of a caller who may do everything everywhere. */
  public static final CallerRights ALL = new CallerRights(AccessControl.open(), Caller.SERVICE, true);

  private final AccessControl control;
  private final Caller caller;
  private final boolean everything;

  CallerRights(AccessControl control, Caller caller, boolean everything) {
    this.control = control;
    this.caller = caller;
    this.everything = everything;
  }

  /** Whether nothing has to be checked. */
  public boolean areAll() {
    return this == ALL;
  }

  /** Whether what rules do not grant is refused. */
  public boolean followRules() {
    return !everything && control.policy().mode() == AccessMode.CLOSED;
  }

  /** Whose rights these are. */
  public Caller caller() {
    return caller;
  }

  /** Whether what the caller may not see is to be answered as missing. */
  public boolean isHiding() {
    return control.isHiding();
  }

  /** Whether rules let the caller pass through a directory to something below it. */
  public boolean permitsPassing(EffectiveAccess at, Supplier<String> where) {
    return everything || at.grants(caller, Right.READ) || control.lacks(caller, Right.READ, where)
        || noteRefusal(AccessDecisions.NONE, Right.READ, at, where);
  }

  /**
   * Whether the caller has a right.
   *
   * @param at what holds in the directory
   * @param path of what the right is used on: the entry, or the directory that is listed or administered; empty if
   *        there is no path to it
   * @param where the directory, for the log
   */
  public boolean permits(
      Right right, Supplier<EffectiveAccess> at, Supplier<Optional<RnsPath>> path, Supplier<String> where) {
    boolean granted = isGranted(right, at, where);
    boolean permitted = granted && isWithinLimits(right, path);
    AccessDecisions decisions = AccessDecisions.current();
    if (decisions != null) {
      note(decisions, right, at, where, granted, permitted);
    }
    if (granted && !permitted) {
      control.exceedsLimits();
    }
    return permitted;
  }

  private boolean isGranted(Right right, Supplier<EffectiveAccess> at, Supplier<String> where) {
    return everything || at.get().grants(caller, right) || control.lacks(caller, right, where);
  }

  private void note(
      AccessDecisions decisions, Right right, Supplier<EffectiveAccess> at, Supplier<String> where, boolean granted,
      boolean permitted) {
    if (!permitted) {
      boolean unused =
          noteRefusal(granted ? AccessDecisions.LIMITS : AccessDecisions.NONE, right,
              granted ? EffectiveAccess.NONE : at.get(), where);
    } else if (everything) {
      decisions.add(new Decision(control.everythingBy(caller), right.text(), where.get(), ""));
    } else {
      decisions.addGrant(caller, right, at.get(), where.get());
    }
  }

  /** Notes that a right is missing, if that is of interest; false. */
  private static boolean noteRefusal(String by, Right right, EffectiveAccess at, Supplier<String> where) {
    AccessDecisions decisions = AccessDecisions.current();
    if (decisions != null) {
      String of = at == EffectiveAccess.NONE ? "" : at.rulesAt().toString();
      decisions.addRefusal(new Decision(by, right.text(), where.get(), of));
    }
    return false;
  }

  /** The same where nothing is to be refused: what the caller does not see is left out. */
  public boolean has(Right right, EffectiveAccess at, Supplier<Optional<RnsPath>> path) {
    boolean granted =
        isGranted(right, () -> at, () -> path.get().map(RnsPath::toString).orElse("a directory without a path"));
    if (granted && !isWithinLimits(right, path)) {
      control.exceedsLimits();
      return false;
    }
    return granted;
  }

  private boolean isWithinLimits(Right right, Supplier<Optional<RnsPath>> path) {
    return caller.limits().isEmpty() || path.get().filter(at -> caller.isWithinLimits(right, at)).isPresent();
  }

  /**
   * The refusal of a request.
   *
   * @param depth of the directory in the path of the target, in which the right is missing; -1 if it is above the start
   */
  public Refusal refusal(Target target, int depth, Right right) {
    if (isHiding() && (right == Right.READ || right == Right.LIST)) {
      // Above the start, the start is missing, as it would be if there were none.
      return new Refusal.NoSuchEntry(target, Math.min(Math.max(depth, -1) + 1, target.path().depth()));
    }
    Target directory = new Target(target.start(), target.path().prefix(Math.max(depth, 0)));
    String place = depth < 0 ? "a directory above " + directory : directory.toString();
    return new Refusal.Invalid(target, AccessControl.error(caller), AccessControl.message(caller, right, place));
  }
}
