package io.rns.wire;

import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Outcome;

/**
 * An operation on one directory or iterator as a resource, with one answer: its properties, its end, its reference.
 *
 * @param <I> what is asked
 * @param <O> what a success gives
 */
public sealed interface ResourceOperationCodec<I, O> extends OperationCodec<I, O>
    permits PropertiesCodec, QueryExpressionCodec, SetTerminationTimeCodec, ResolveEpiCodec, TargetOperationCodec {
  /** Whether who asks has lost the way to the resource and wants another. */
  default boolean renews() {
    return false;
  }

  /** Asks for it. */
  Answer<Outcome<O>> call(Resources resources, CallContext call, I item);
}
