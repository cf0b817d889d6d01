package io.rns.error;

/** Error codes, one per condition a client may want to react to. The {@link Kind} decides how each is handled. */
public enum RnsError {
  /** A component of the path does not exist. */
  NO_SUCH_ENTRY(Kind.CALLER),
  /** The name is taken. */
  ENTRY_EXISTS(Kind.CALLER),
  /** A virtual directory is required and the entry is a junction. */
  NOT_DIRECTORY(Kind.CALLER),
  /** A junction is required and the entry is a virtual directory. */
  IS_DIRECTORY(Kind.CALLER),
  /** The directory has entries and the removal is not recursive. */
  NOT_EMPTY(Kind.CALLER),
  /** The version of the entry differs from the precondition. */
  VERSION_MISMATCH(Kind.CALLER),
  /** A directory cannot be moved into its own subtree. */
  MOVE_INTO_SELF(Kind.CALLER),
  /** The root cannot be removed, renamed or moved. */
  ROOT_IS_FIXED(Kind.CALLER),
  /** Another item of an all-or-nothing batch was refused, so this one was not applied. */
  NOT_APPLIED(Kind.CALLER),
  /** The caller lacks the permission. */
  NOT_PERMITTED(Kind.CALLER),
  /** The credential of the request is invalid, or the request needs one and has none. */
  NOT_AUTHENTICATED(Kind.CALLER),
  /** The entry name violates the rules of entry names. */
  INVALID_NAME(Kind.CALLER),
  /** The path violates the rules of paths. */
  INVALID_PATH(Kind.CALLER),
  /** The page cursor belongs to another directory or pattern. */
  INVALID_CURSOR(Kind.CALLER),
  /** The request is inconsistent or incomplete; the message has the details. */
  INVALID_REQUEST(Kind.CALLER),
  /** A limit of {@link Limits} was exceeded. */
  LIMIT_EXCEEDED(Kind.CALLER),
  /** The message is not well-formed, not SOAP, or uses forbidden features (DTD, entities). */
  MALFORMED_MESSAGE(Kind.CALLER),
  /** No such operation. */
  UNKNOWN_OPERATION(Kind.CALLER),
  /** The request id was used before for a different request. */
  REQUEST_ID_REUSED(Kind.CALLER),
  /** No element is registered under the pool's path. */
  NO_SUCH_POOL(Kind.CALLER),
  /** The pool has another policy than the registering element. */
  OTHER_POLICY(Kind.CALLER),
  /** Another element of the pool has the id; the element must choose another. */
  ELEMENT_ID_TAKEN(Kind.CALLER),
  /** This server is not, or no longer, the primary; another server accepts writes. */
  NOT_PRIMARY(Kind.ELSEWHERE),
  /** Another server group owns this part of the tree. */
  DELEGATED(Kind.ELSEWHERE),
  /** Too many concurrent requests; retry after a pause. */
  BUSY(Kind.TRANSIENT),
  /** The service or its database is unreachable. */
  UNAVAILABLE(Kind.TRANSIENT),
  /** The deadline passed. A write may or may not have been applied; retry it with the same request id. */
  TIMEOUT(Kind.TRANSIENT),
  /** The database has no space left; nothing was written. */
  STORAGE_FULL(Kind.TRANSIENT),
  /** A defect of the service. */
  INTERNAL(Kind.BUG);

  private final Kind kind;

  RnsError(Kind kind) {
    this.kind = kind;
  }

  /**
   * The party that has to act. Decides SOAP fault, HTTP status, exit code, log level and whether a client may retry.
   */
  public Kind kind() {
    return kind;
  }

  /** The party that has to act on an error. */
  public enum Kind {
    /** The caller: the same request will fail again. */
    CALLER,
    /** The client: it has to contact another server. */
    ELSEWHERE,
    /** No one: the same request may succeed later. A write is safe to retry with its request id. */
    TRANSIENT,
    /** The developers. */
    BUG
  }
}
