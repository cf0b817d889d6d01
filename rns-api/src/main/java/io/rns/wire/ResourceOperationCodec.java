package io.rns.wire;

import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.NameService;
import io.rns.api.Outcome;

/**
 * An operation on one directory as a resource, with one answer: its properties, its end, its reference.
 *
 * @param <I> what is asked
 * @param <O> what a success gives
 */
public sealed interface ResourceOperationCodec<I, O> extends OperationCodec<I, O>
    permits PropertiesCodec, PropertyDocumentCodec, DestroyCodec, ResolveCodec, ResolveEpiCodec {
  /**
   * Asks a service.
   *
   * @param names the references of our directories
   */
  Answer<Outcome<O>> call(NameService service, CallContext call, I item, WsNames names);
}
