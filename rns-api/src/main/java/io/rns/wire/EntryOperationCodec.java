package io.rns.wire;

import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Entry;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.xml.XmlPull;
import java.util.List;

/**
 * An operation on one entry, many of which make a batch.
 *
 * @param <I> one item of a request
 */
public sealed interface EntryOperationCodec<I> extends OperationCodec<I, Entry>
    permits AddCodec, QueryCodec, UpdateCodec, RemoveCodec, DirectoryOperationCodec {

  /** The options that a request element outside of a batch carries in its attributes. */
  default BatchOptions options(XmlPull pull) {
    return BatchOptions.NONE;
  }

  /** Asks a service for the items. */
  Answer<List<Outcome<Entry>>> call(NameService service, CallContext call, List<I> items, BatchOptions options);

  @Override
  default Entry readResponse(XmlPull pull) {
    return EntryCodec.readOnly(pull);
  }
}
