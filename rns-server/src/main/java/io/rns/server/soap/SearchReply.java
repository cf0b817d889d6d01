package io.rns.server.soap;

import io.rns.server.query.FoundEntries;
import io.rns.wire.IteratorReference;
import io.rns.wire.OperationCodec.Place;
import io.rns.wire.ReplyHeaders;
import io.rns.wire.SoapVersion;
import io.rns.wire.resource.ResourceOperations;
import io.rns.xml.XmlBuffer;
import org.jspecify.annotations.Nullable;

/** The first block of what a search found. */
final class SearchReply extends Reply {
  private final FoundEntries found;
  private final @Nullable IteratorReference rest;
  private boolean started;
  private int next;

  SearchReply(FoundEntries found, @Nullable IteratorReference rest, ReplyHeaders headers) {
    super(headers);
    this.found = found;
    this.rest = rest;
  }

  @Override
  String action() {
    return ResourceOperations.SEARCH.action();
  }

  @Override
  boolean writeNext(XmlBuffer out, SoapVersion version) {
    if (!started) {
      started = true;
      ResourceOperations.SEARCH.startResponse(out, Place.PAYLOAD);
    }
    while (next < found.size()) {
      ResourceOperations.SEARCH.writeEntry(out, found.entries().get(next));
      next++;
      if (out.length() >= PIECE_BYTES) {
        return true;
      }
    }
    ResourceOperations.SEARCH.endResponse(out, rest);
    return false;
  }
}
