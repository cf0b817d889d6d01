package io.rns.server.namespace;

import java.time.Duration;

/**
 * How the writer works; documented knob by knob in docs/operations.md.
 *
 * @param queueRequests most requests that wait
 * @param batchRequests most requests of one transaction
 * @param timeout longest wait of a request for its answer
 * @param requestIdsKept how long answers to requests with an id are kept
 * @param changesKept how long the change log is kept
 */
public record WriterSettings(
    int queueRequests, int batchRequests, Duration timeout, Duration requestIdsKept, Duration changesKept) {}
