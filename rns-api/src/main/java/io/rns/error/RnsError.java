package io.rns.error;

/** What can go wrong, one code per thing a caller may want to react to. The {@link Kind} decides how it is treated. */
public enum RnsError {
  /** A component of the path names no entry. */
  NO_SUCH_ENTRY(Kind.CALLER),
  /** The name is taken. */
  ENTRY_EXISTS(Kind.CALLER),
  /** A virtual directory was needed and a junction was found. */
  NOT_DIRECTORY(Kind.CALLER),
  /** A junction was needed and a virtual directory was found. */
  IS_DIRECTORY(Kind.CALLER),
  /** The directory has entries and the removal was not recursive. */
  NOT_EMPTY(Kind.CALLER),
  /** The entry's version is not the one the precondition names. */
  VERSION_MISMATCH(Kind.CALLER),
  /** A directory cannot be moved into its own subtree. */
  MOVE_INTO_SELF(Kind.CALLER),
  /** The root can be neither removed, renamed nor moved. */
  ROOT_IS_FIXED(Kind.CALLER),
  /** Another item of an all-or-nothing batch was refused, so this one was not applied. */
  NOT_APPLIED(Kind.CALLER),
  /** The caller may not do this. */
  NOT_PERMITTED(Kind.CALLER),
  /** The entry name breaks the rules of entry names. */
  INVALID_NAME(Kind.CALLER),
  /** The path breaks the rules of paths. */
  INVALID_PATH(Kind.CALLER),
  /** The page cursor was not made for this directory and pattern. */
  INVALID_CURSOR(Kind.CALLER),
  /** The request contradicts itself or lacks something; the message says what. */
  INVALID_REQUEST(Kind.CALLER),
  /** A bound of {@link Limits} was passed. */
  LIMIT_EXCEEDED(Kind.CALLER),
  /** The message is not well-formed, not SOAP, or uses what is refused (DTD, entities). */
  MALFORMED_MESSAGE(Kind.CALLER),
  /** No such operation. */
  UNKNOWN_OPERATION(Kind.CALLER),
  /** The request id was used before for a different request. */
  REQUEST_ID_REUSED(Kind.CALLER),
  /** No element is registered under the pool's path. */
  NO_SUCH_POOL(Kind.CALLER),
  /** The pool has another policy than the element that wants to join it. */
  OTHER_POLICY(Kind.CALLER),
  /** Another element of the pool has the id; draw a new one. */
  ELEMENT_ID_TAKEN(Kind.CALLER),
  /** This server is not, or no longer, the primary: another one takes writes. */
  NOT_PRIMARY(Kind.ELSEWHERE),
  /** Too many requests wait; try again after a pause. */
  BUSY(Kind.TRANSIENT),
  /** The service or its database cannot be reached now. */
  UNAVAILABLE(Kind.TRANSIENT),
  /** The deadline passed; a write may or may not have been applied: repeat it with the same request id. */
  TIMEOUT(Kind.TRANSIENT),
  /** The database has no space left; nothing was written. */
  STORAGE_FULL(Kind.TRANSIENT),
  /** A defect of the service. */
  INTERNAL(Kind.BUG);

  private final Kind kind;

  RnsError(Kind kind) {
    this.kind = kind;
  }

  /** Who has to act; decides SOAP fault, HTTP status, exit code, log level and whether a client may repeat. */
  public Kind kind() {
    return kind;
  }

  /** Who has to act on an error. */
  public enum Kind {
    /** The caller: the same request will fail again. */
    CALLER,
    /** The caller, by asking another server. */
    ELSEWHERE,
    /** Nobody: the same request may succeed later; a write is safe to repeat with its request id. */
    TRANSIENT,
    /** The developers. */
    BUG
  }
}
