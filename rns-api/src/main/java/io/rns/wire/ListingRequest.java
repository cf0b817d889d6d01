package io.rns.wire;

import io.rns.api.ListRequest;

/**
 * A request for a listing as it was read.
 *
 * @param request the first page
 * @param paged whether only that page is wanted, not the whole directory
 */
public record ListingRequest(ListRequest request, boolean paged) implements Request {}
