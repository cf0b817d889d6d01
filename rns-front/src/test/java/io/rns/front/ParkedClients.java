package io.rns.front;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Connections that are in the middle of something whenever a front is replaced, each time of something else. */
final class ParkedClients implements AutoCloseable {
  private static final int PIPELINED = 8;

  /** Responses that were what a server alone sends. */
  long answered;
  private final EchoServer server;
  private final KnownAnswers answers;
  private final Random random;
  private final List<HttpPeer> peers = new ArrayList<>();
  private final List<HttpPeer> watches = new ArrayList<>();
  private final List<Rest> rests = new ArrayList<>();
  private final List<State> states =
      List.of(this::idle, this::inHead, this::inBody, this::inLargeBody, this::inLargeResponse, this::atServer,
          this::pipelined, this::betweenPipelined);
  private int round;
  /** The request of this round that the server holds. */
  private String held = "";
  /** How often it was sent. */
  private int holding;

  /** Begins something on a connection. */
  private interface State {
    Rest begin(HttpPeer peer) throws IOException;
  }

  /** Ends it; returns the number of responses. */
  private interface Rest {
    int finish() throws IOException;
  }

  ParkedClients(EchoServer server, int port, int connections, int watching, KnownAnswers answers, long seed)
      throws IOException {
    this.server = server;
    this.answers = answers;
    this.random = new Random(seed);
    for (int i = 0; i < connections; i++) {
      peers.add(new HttpPeer(port));
    }
    for (int i = 0; i < watching; i++) {
      HttpPeer watch = new HttpPeer(port);
      watches.add(watch);
      watch.send("GET /rns/watch/ticks HTTP/1.1\r\nHost: a\r\n\r\n");
    }
    for (HttpPeer watch : watches) {
      String head = watch.head();
      if (!head.startsWith("HTTP/1.1 200 ")) {
        throw new IOException("a watch was answered with " + head);
      }
    }
    checkWatches();
  }

  /** Begins something on every connection, and waits until the server holds what it is to hold. */
  void begin() throws IOException {
    round++;
    held = "GET /rns/hold?" + round + " HTTP/1.1\r\nHost: a\r\n\r\n";
    holding = 0;
    for (int i = 0; i < peers.size(); i++) {
      rests.add(states.get((i + round) % states.size()).begin(peers.get(i)));
    }
    Waiting.until(() -> server.held.get() >= holding);
  }

  /** Ends everything. */
  void finish() throws IOException {
    server.gate("" + round).countDown();
    for (Rest rest : rests) {
      answered += rest.finish();
    }
    rests.clear();
    server.tick();
    checkWatches();
  }

  private void checkWatches() throws IOException {
    for (HttpPeer watch : watches) {
      String event = watch.event();
      if (!event.equals("data: " + (round + 1))) {
        throw new IOException("a watch has got " + event + " in round " + round);
      }
    }
  }

  private int ask(HttpPeer peer) throws IOException {
    KnownAnswers.Known known = answers.small(random);
    known.check(peer.send(known.request()).response());
    return 1;
  }

  private Rest idle(HttpPeer peer) {
    return () -> ask(peer);
  }

  private Rest inHead(HttpPeer peer) throws IOException {
    KnownAnswers.Known known = answers.small(random);
    return after(peer, known, random.nextInt(1, known.head()));
  }

  private Rest inBody(HttpPeer peer) throws IOException {
    KnownAnswers.Known known = answers.withBody(random);
    return after(peer, known, random.nextInt(known.head(), known.request().length()));
  }

  private Rest inLargeBody(HttpPeer peer) throws IOException {
    return after(peer, answers.up(random), random.nextInt(70_000, 90_000));
  }

  private Rest after(HttpPeer peer, KnownAnswers.Known known, int sent) throws IOException {
    peer.send(known.request().substring(0, sent));
    return () -> {
      known.check(peer.send(known.request().substring(sent)).response());
      return 1 + ask(peer);
    };
  }

  private Rest inLargeResponse(HttpPeer peer) throws IOException {
    KnownAnswers.Known known = answers.down(random);
    String head = peer.send(known.request()).head();
    return () -> {
      known.check(head + peer.content());
      return 1 + ask(peer);
    };
  }

  private Rest atServer(HttpPeer peer) throws IOException {
    peer.send(held);
    holding++;
    return () -> {
      checkHeld(peer);
      return 1 + ask(peer);
    };
  }

  /** The server has the first one, the front or the kernel the others. */
  private Rest pipelined(HttpPeer peer) throws IOException {
    List<KnownAnswers.Known> others = new ArrayList<>();
    StringBuilder all = new StringBuilder(held);
    for (int i = 1; i < PIPELINED; i++) {
      others.add(answers.small(random));
      all.append(others.getLast().request());
    }
    peer.send(all.toString());
    holding++;
    return () -> {
      checkHeld(peer);
      for (KnownAnswers.Known other : others) {
        other.check(peer.response());
      }
      return PIPELINED;
    };
  }

  private void checkHeld(HttpPeer peer) throws IOException {
    String expected = "held /rns/hold?" + round + " 0";
    String got = peer.body();
    if (!got.equals(expected)) {
      throw new KnownAnswers.Foreign(held.lines().findFirst().orElseThrow() + " was answered with " + got);
    }
  }

  /** One response was read, the next request has arrived in part. */
  private Rest betweenPipelined(HttpPeer peer) throws IOException {
    KnownAnswers.Known first = answers.small(random);
    KnownAnswers.Known second = answers.withBody(random);
    int sent = random.nextInt(1, second.request().length());
    first.check(peer.send(first.request() + second.request().substring(0, sent)).response());
    return () -> {
      second.check(peer.send(second.request().substring(sent)).response());
      return 2;
    };
  }

  @Override
  public void close() throws IOException {
    for (HttpPeer peer : peers) {
      peer.close();
    }
    for (HttpPeer watch : watches) {
      watch.close();
    }
  }
}
