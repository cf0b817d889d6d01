package io.rns.wire.rns;

import io.rns.api.ListRequest;
import io.rns.wire.FaultTable;
import io.rns.wire.Request;

/**
 * A request for a listing as it was read.
 *
 * @param form how it is answered
 * @param request the first page
 * @param paged whether only that page is wanted, not all that the form holds
 */
public record ListingRequest(ListingForm form, ListRequest request, boolean paged) implements Request {
  @Override
  public FaultTable faults() {
    return form.faults();
  }
}
