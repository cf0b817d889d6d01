package io.rns.front;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** What a front has done since it started. Thread-safe. */
final class FrontCounters {
  /** Clients connected now. */
  final AtomicInteger clients = new AtomicInteger();
  /** Requests of HTTP/2 connections now. */
  final AtomicInteger multiplexed = new AtomicInteger();
  /** Watches now. */
  final AtomicInteger streams = new AtomicInteger();
  /** Requests passed to servers, each once, also if its client was sent there. */
  final LongAdder requests = new LongAdder();
  /** Requests that the front answered from its cache. */
  final LongAdder cached = new LongAdder();
  /** Requests whose clients were sent to servers. */
  final LongAdder direct = new LongAdder();
  /** Requests sent again, to another server or the same. */
  final LongAdder repeated = new LongAdder();
  /** Requests that the front answered with an error. */
  final LongAdder refused = new LongAdder();
  /** Clients disconnected because of a limit. */
  final LongAdder cut = new LongAdder();
  /** Requests of HTTP/2 connections that clients have cancelled. */
  final LongAdder resets = new LongAdder();
  /** Connections taken over from a predecessor. */
  final LongAdder taken = new LongAdder();
  /** Those of them of which a server had a request. */
  final LongAdder takenRequests = new LongAdder();
  /** Bytes of the state of these. */
  final LongAdder takenBytes = new LongAdder();

  Map<String, Number> all() {
    Map<String, Number> all = new LinkedHashMap<>();
    all.put("connections", clients.get());
    all.put("streams", streams.get());
    all.put("http2Requests", multiplexed.get());
    all.put("requests", requests.sum());
    all.put("cached", cached.sum());
    all.put("direct", direct.sum());
    all.put("repeated", repeated.sum());
    all.put("refused", refused.sum());
    all.put("cutClients", cut.sum());
    all.put("resets", resets.sum());
    all.put("takenOver", taken.sum());
    all.put("takenOverRequests", takenRequests.sum());
    all.put("takenOverBytes", takenBytes.sum());
    return all;
  }
}
