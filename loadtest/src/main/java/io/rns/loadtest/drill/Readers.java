package io.rns.loadtest.drill;

import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Consistency;
import io.rns.api.Entry;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.Position;
import io.rns.api.QueryRequest;
import io.rns.api.Target;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.history.FailedRead;
import io.rns.loadtest.history.Read;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/** Makes one look at one server and records what came of it. Safe for use by many threads. */
final class Readers {
  /** A server that has not answered is left alone for a while, so that a reader does not wait for it all the time. */
  private static final Duration AWAY = Duration.ofSeconds(2);

  private final Map<String, NameService> clients;
  private final List<String> servers;
  private final Recorder recorder;
  private final Map<String, Long> awayUntil = new ConcurrentHashMap<>();

  Readers(Map<String, NameService> clients, Recorder recorder) {
    this.clients = Map.copyOf(clients);
    this.servers = clients.keySet().stream().sorted().toList();
    this.recorder = recorder;
  }

  /** The server for a turn; one that is away is passed over unless all are. */
  String server(int turn) {
    for (int i = 0; i < servers.size(); i++) {
      String server = servers.get(Math.floorMod(turn + i, servers.size()));
      if (awayUntil.getOrDefault(server, 0L) <= recorder.now()) {
        return server;
      }
    }
    return servers.get(Math.floorMod(turn, servers.size()));
  }

  /** The position of the answer; empty if there was none. */
  Optional<Position> read(String session, String server, Optional<Duration> bound, Optional<Position> token,
      String path) {
    CallContext call = CallContext.ANONYMOUS.with(consistency(bound));
    long invoked = recorder.now();
    try {
      Answer<List<Outcome<Entry>>> answer =
          client(server).query(token.map(call::withSeen).orElse(call), QueryRequest.of(Target.of(path)));
      OptionalLong version = version(answer.value().get(0));
      recorder.add(new Read(session, server, bound, token, path, invoked, recorder.now(), version, answer.position()));
      return Optional.of(answer.position());
    } catch (RnsException e) {
      long now = recorder.now();
      awayUntil.put(server, now + AWAY.toNanos());
      recorder.add(new FailedRead(session, server, invoked, now, e.error() + ": " + e.getMessage()));
      return Optional.empty();
    }
  }

  private NameService client(String server) {
    NameService client = clients.get(server);
    if (client == null) {
      throw new IllegalArgumentException("no client of " + server);
    }
    return client;
  }

  private static Consistency consistency(Optional<Duration> bound) {
    if (bound.isEmpty()) {
      return Consistency.SESSION;
    }
    return bound.get().isZero() ? Consistency.PRIMARY : Consistency.bounded(bound.get());
  }

  private static OptionalLong version(Outcome<Entry> outcome) {
    return switch (outcome) {
      case Outcome.Done<Entry> done -> OptionalLong.of(done.value().version());
      case Outcome.Refused<Entry> refused -> {
        RnsException e = refused.refusal().toException();
        if (e.error() != RnsError.NO_SUCH_ENTRY) {
          throw e;
        }
        yield OptionalLong.empty();
      }
    };
  }
}
