package io.rns.wire.rns;

import io.rns.api.ListRequest;
import io.rns.wire.FaultTable;
import io.rns.wire.Request;

/**
 * A request for a listing.
 *
 * @param form the form of the response
 * @param request the first page
 * @param paged whether to return that page only, instead of everything the form permits
 */
public record ListingRequest(ListingForm form, ListRequest request, boolean paged) implements Request {
  @Override
  public FaultTable faults() {
    return form.faults();
  }
}
