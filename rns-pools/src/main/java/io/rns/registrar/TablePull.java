package io.rns.registrar;

import io.rns.rserpool.ElementName;
import java.util.Optional;

/**
 * A table being read from a peer, block by block.
 *
 * @param peer the id of the peer
 * @param audit the audit it belongs to; empty for the full table at startup
 * @param after the last element received; an empty handle at the start
 * @param until the deadline of the next block
 * @param begun when the first block was requested
 * @param elements how many elements have been received
 */
record TablePull(int peer, Optional<Long> audit, ElementName after, long until, long begun, long elements) {}
