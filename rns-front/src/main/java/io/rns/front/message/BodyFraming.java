package io.rns.front.message;

/** How a request says where its body ends. */
public sealed interface BodyFraming {
  /** No body. */
  record Empty() implements BodyFraming {}

  /** A number of bytes. */
  record Length(long bytes) implements BodyFraming {}

  /** Chunks. */
  record Chunks() implements BodyFraming {}
}
