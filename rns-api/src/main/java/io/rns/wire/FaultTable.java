package io.rns.wire;

import io.rns.api.Refusal.NoSuchEntry;

/** Maps errors to fault elements: one table per group of operations, as their specification defines it. */
public enum FaultTable {
  /** RNS 1.0, and every message with an unknown operation. */
  RNS_1_0(FaultElement.OPERATION_NOT_ALLOWED, FaultElement.RESOURCE_UNKNOWN, FaultElement.RNS_1_0,
      FaultElement.RNS_1_0),
  /** {@code lookup} of RNS 1.1. */
  READ(FaultElement.READ_NOT_PERMITTED, FaultElement.RESOURCE_UNKNOWN, FaultElement.BASE, FaultElement.BASE),
  /** The other operations of RNS 1.1. */
  WRITE(FaultElement.WRITE_NOT_PERMITTED, FaultElement.RESOURCE_UNKNOWN, FaultElement.BASE, FaultElement.BASE),
  /** Searches. */
  SEARCH(FaultElement.READ_NOT_PERMITTED, FaultElement.RESOURCE_UNKNOWN, FaultElement.SEARCH, FaultElement.BASE),
  /** Resource properties. */
  PROPERTIES(FaultElement.BASE, FaultElement.RESOURCE_UNKNOWN, FaultElement.INVALID_PROPERTY, FaultElement.BASE),
  /** Expressions over resource properties. */
  QUERY(FaultElement.BASE, FaultElement.RESOURCE_UNKNOWN, FaultElement.INVALID_QUERY, FaultElement.BASE),
  /** Termination times of resources. */
  TERMINATION(
      FaultElement.BASE,
      FaultElement.RESOURCE_UNKNOWN,
      FaultElement.UNABLE_TO_SET_TERMINATION_TIME,
      FaultElement.TERMINATION_TIME_REJECTED),
  /** Destruction of resources. */
  DESTROY(FaultElement.NOT_DESTROYED, FaultElement.RESOURCE_UNKNOWN, FaultElement.BASE, FaultElement.NOT_DESTROYED),
  /** Resolvers of WS-Naming. */
  RESOLVE(FaultElement.RESOLVE_FAILED, FaultElement.RESOLVE_FAILED, FaultElement.RESOLVE_FAILED, FaultElement.BASE);

  private final FaultElement notPermitted;
  private final FaultElement unknown;
  private final FaultElement invalid;
  private final FaultElement refused;

  FaultTable(FaultElement notPermitted, FaultElement unknown, FaultElement invalid, FaultElement refused) {
    this.notPermitted = notPermitted;
    this.unknown = unknown;
    this.invalid = invalid;
    this.refused = refused;
  }

  /** The element for a fault. */
  FaultElement element(Fault fault) {
    return switch (fault.error()) {
      case NO_SUCH_ENTRY -> this == RNS_1_0 && !isUnknown(fault) ? FaultElement.RNS_1_0 : unknown;
      case NOT_DIRECTORY -> this == RNS_1_0 ? FaultElement.ENTRY_NOT_DIRECTORY : unknown;
      case ENTRY_EXISTS -> this == RNS_1_0 ? FaultElement.ENTRY_EXISTS : refused;
      case NOT_EMPTY -> this == RNS_1_0 ? FaultElement.DIRECTORY_NOT_EMPTY : refused;
      case MOVE_INTO_SELF, ROOT_IS_FIXED -> this == RNS_1_0 ? FaultElement.OPERATION_NOT_ALLOWED : refused;
      case NOT_PERMITTED, NOT_AUTHENTICATED -> notPermitted;
      case BUSY, UNAVAILABLE, TIMEOUT, STORAGE_FULL, NOT_PRIMARY, DELEGATED -> FaultElement.RESOURCE_UNAVAILABLE;
      case INVALID_REQUEST, INVALID_NAME, INVALID_PATH -> invalid;
      case LIMIT_EXCEEDED -> exceeded();
      case UNKNOWN_OPERATION -> this == QUERY ? FaultElement.UNKNOWN_DIALECT : other();
      case IS_DIRECTORY,
          VERSION_MISMATCH,
          NOT_APPLIED,
          INVALID_CURSOR,
          MALFORMED_MESSAGE,
          REQUEST_ID_REUSED,
          NO_SUCH_POOL,
          OTHER_POLICY,
          ELEMENT_ID_TAKEN,
          INTERNAL ->
        other();
    };
  }

  /** Whether a fault says that access is denied, for which RNS 1.1 has faults of whole requests. */
  public static boolean deniesAccess(Fault fault) {
    return WRITE.element(fault) == FaultElement.WRITE_NOT_PERMITTED;
  }

  private FaultElement other() {
    return this == RNS_1_0 ? FaultElement.RNS_1_0 : FaultElement.BASE;
  }

  /** The element for an exceeded limit, where the specification defines one. */
  private FaultElement exceeded() {
    return switch (this) {
      case SEARCH -> FaultElement.SEARCH;
      case QUERY -> FaultElement.QUERY_ERROR;
      case TERMINATION -> FaultElement.TERMINATION_TIME_REJECTED;
      case RNS_1_0, READ, WRITE, PROPERTIES, DESTROY, RESOLVE -> other();
    };
  }

  /** Whether the target itself does not exist, rather than an entry below it. */
  private static boolean isUnknown(Fault fault) {
    return fault.refusal().isEmpty() || (fault.refusal().get() instanceof NoSuchEntry none && none.missing() == 0);
  }
}
