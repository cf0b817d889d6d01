package io.rns.registrar;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.handlespace.ElementKey;
import io.rns.handlespace.Handlespace;
import io.rns.handlespace.TimerEvent;
import io.rns.rserpool.AsapMessage;
import io.rns.rserpool.ElementName;
import io.rns.rserpool.EnrpMessage;
import io.rns.rserpool.EnrpMessage.Presence;
import io.rns.rserpool.ErrorCause;
import io.rns.rserpool.Message;
import io.rns.rserpool.PoolExperience;
import io.rns.rserpool.ServerInformation;
import io.rns.rserpool.Transport;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * A registrar. Every method takes the time and returns the effects to carry out, in order.
 *
 * <p>Times are milliseconds of a steady clock, such as the time since the machine started. A time before an earlier one
 * counts as the earlier one.
 *
 * <p>State is soft: a registrar starts empty, under an id drawn for this start, and copies the state of another
 * registrar before it serves.
 *
 * <p>Not thread-safe. Deterministic: the same calls with the same generator produce the same effects.
 */
public final class Registrar {
  private static final int STEP = 1_000;

  /** Heartbeats for which a place is remembered at which a registrar announced itself. */
  private static final int FOUND_HEARTBEATS = 6;

  private final RegistrarSettings settings;
  private final RandomGenerator random;
  private final Handlespace handlespace;
  private final RegistrarCounters counters = new RegistrarCounters();
  private final Outbox outbox = new Outbox();
  private final Peers peers;
  private final Watch watch;
  private final PeerTables tables;
  private final News news;
  private final ElementService elements;
  private final UserService users;
  private final ExperienceNews experiences;
  private final RegistrarStartup startup;
  private final List<Transport> places;
  private final FoundPlaces found;
  private final Optional<AsapMessage.ServerAnnounce> announcement;
  private long time = Long.MIN_VALUE;
  private long nextHeartbeat = Long.MAX_VALUE;

  /**
   * A registrar that has not started.
   *
   * @param self its id, unsigned, not 0, newly drawn for every start, and where it listens for peers
   * @param firstVersion at or above every version issued under this id, such as the time of day in milliseconds; 0 or
   *        more
   * @param places where other registrars may listen; the first to answer is copied
   * @param random selects elements, spreads keep-alives and heartbeats
   */
  public Registrar(
      ServerInformation self,
      long firstVersion,
      RegistrarSettings settings,
      List<Transport> places,
      RandomGenerator random) {
    this(self, firstVersion, settings, places, random, Optional.empty());
  }

  /**
   * The same.
   *
   * @param announcement what it sends to elements and users by multicast with each heartbeat, beside its presence to
   *        other registrars; empty: it neither announces itself nor is found so
   */
  public Registrar(
      ServerInformation self,
      long firstVersion,
      RegistrarSettings settings,
      List<Transport> places,
      RandomGenerator random,
      Optional<AsapMessage.ServerAnnounce> announcement) {
    this.announcement = announcement;
    this.found = new FoundPlaces(FOUND_HEARTBEATS * settings.heartbeatMillis());
    this.settings = settings;
    this.random = random;
    this.places = List.copyOf(places);
    this.handlespace = new Handlespace(self.id(), firstVersion, settings.handlespace(), random);
    this.peers = new Peers(self, handlespace, outbox);
    this.news = new News(handlespace, peers, outbox, counters);
    this.tables = new PeerTables(settings, handlespace, peers, outbox, news);
    this.elements = new ElementService(handlespace, peers, outbox, news, counters);
    this.experiences = new ExperienceNews(peers);
    this.users = new UserService(handlespace, counters);
    this.watch = new Watch(settings, handlespace, peers, outbox, counters, page -> elements.takenOver(page.entries()));
    this.startup = new RegistrarStartup(settings, this.places, announcement.isPresent(), peers, tables, outbox);
  }

  /** Starts: looks for a registrar to copy. */
  public List<Effect> start(long nowMillis) {
    long now = advance(nowMillis);
    startup.start(now);
    announcement.ifPresent(own -> outbox.announce(peers.presence(0, false, Optional.empty())));
    return settle(now);
  }

  /** Whether it serves: it has copied another registrar, or found none. */
  public boolean isServing() {
    return startup.isOver();
  }

  /** The handlespace, read-only. */
  public Handlespace handlespace() {
    return handlespace;
  }

  /** When {@link #run} will have something to do. */
  public long nextTimerMillis() {
    long own = Math.min(Math.min(nextHeartbeat, tables.next()), Math.min(startup.next(), experiences.next()));
    long ofPeers = isServing() ? watch.next() : Long.MAX_VALUE;
    return Math.min(Math.min(own, ofPeers), handlespace.nextTimerMillis().orElse(Long.MAX_VALUE));
  }

  /** Handles due timers. */
  public List<Effect> run(long nowMillis) {
    return settle(advance(nowMillis));
  }

  /**
   * Handles a closed connection, whichever end closed it. Elements on it receive a keep-alive if they have a control
   * transport.
   */
  public List<Effect> closed(long connection, long nowMillis) {
    long now = advance(nowMillis);
    for (ElementKey element : outbox.closed(connection)) {
      elements.disconnected(element, now);
    }
    return settle(now);
  }

  /**
   * Handles a refused connection to an address. A starting registrar goes on to the next place without waiting for a
   * timeout.
   */
  public List<Effect> refused(Transport place, long nowMillis) {
    long now = advance(nowMillis);
    startup.refused(place, now);
    return settle(now);
  }

  /**
   * Handles an announcement received by multicast. It is no more than a hint where a registrar may listen, which
   * anybody may have given: the place is contacted like a configured one, and whoever answers there has to be admitted
   * by the carrier.
   */
  public List<Effect> announced(Transport.Tcp place, long nowMillis) {
    long now = advance(nowMillis);
    if (announcement.isPresent() && found.heard(place, now)) {
      if (isServing()) {
        peers.greet(List.of(place));
      } else {
        startup.found(place, now);
      }
    }
    return settle(now);
  }

  /**
   * Handles a message received on a connection.
   *
   * @param sender a number of the host at its other end, see {@link Reporters}
   */
  public List<Effect> received(long connection, long sender, Message message, long nowMillis) {
    long now = advance(nowMillis);
    switch (message) {
      case AsapMessage asap when isServing() -> heard(connection, sender, asap, now);
      case AsapMessage asap -> notYet(connection, asap);
      case EnrpMessage enrp -> heard(connection, sender, enrp, now);
    }
    return settle(now);
  }

  /**
   * Runs a call from this process.
   *
   * @param question the call; its exceptions are passed on
   * @return its result, and the effects
   * @throws RnsException {@link RnsError#UNAVAILABLE} before this registrar serves
   */
  public <T> Answered<T> asked(Function<LocalCaller, T> question, long nowMillis) {
    long now = advance(nowMillis);
    if (!isServing()) {
      counters.rejected();
      throw new RnsException(RnsError.UNAVAILABLE, "the registrar of server pools is starting");
    }
    T answer = question.apply(new LocalCaller(peers, handlespace, elements, counters, experiences, now));
    return new Answered<>(answer, settle(now));
  }

  private long advance(long now) {
    time = Math.max(time, now);
    return time;
  }

  private void heard(long connection, long sender, AsapMessage message, long now) {
    switch (message) {
      case AsapMessage.Registration registration -> elements.register(registration, connection, sender, now);
      case AsapMessage.Deregistration deregistration -> elements.deregister(deregistration, connection, now);
      case AsapMessage.KeepAliveAck ack -> elements.acknowledged(ack, connection, now);
      case AsapMessage.HandleResolution resolution -> outbox.answer(connection, users.resolve(resolution));
      case AsapMessage.Unreachable report -> {
        counters.reported();
        unreachable(new ElementName(report.handle(), report.id()), sender, now);
      }
      default -> {
        // Messages of registrars, or between elements and users.
      }
    }
  }

  private void unreachable(ElementName element, long reporter, long now) {
    ElementKey key;
    try {
      key = Descriptions.key(element.handle(), element.id());
    } catch (RnsException e) {
      return;
    }
    elements.unreachable(key, reporter, now);
  }

  /** Rejects a request during startup; the client may try another registrar. */
  private void notYet(long connection, AsapMessage message) {
    ErrorCause cause = ErrorCause.of(ErrorCause.NO_RESOURCES, "the registrar is starting");
    counters.rejected();
    if (message instanceof AsapMessage.Registration m) {
      int id = m.element().id();
      outbox.answer(connection, new AsapMessage.RegistrationResponse(true, m.handle(), id, List.of(cause)));
    } else if (message instanceof AsapMessage.Deregistration m) {
      outbox.answer(connection, new AsapMessage.DeregistrationResponse(m.handle(), m.id(), List.of(cause)));
    } else if (message instanceof AsapMessage.HandleResolution m) {
      outbox.answer(connection, UserService.refused(m.handle(), cause));
    }
  }

  private void heard(long connection, long sender, EnrpMessage message, long now) {
    if (message.receiver() != 0 && message.receiver() != peers.self()) {
      // Sent to a previous registrar at this address.
      return;
    }
    boolean isNew = peers.find(message.sender()) == null;
    Peer peer = peers.heard(message.sender(), sender, now);
    if (peer == null) {
      return;
    }
    outbox.heard(peer.id(), connection);
    peer.heard(now);
    if (isNew && isServing()) {
      peers.greet(peer, false);
    }
    heard(peer, sender, message, now);
  }

  private void heard(Peer peer, long sender, EnrpMessage message, long now) {
    switch (message) {
      case Presence presence -> present(peer, sender, presence, now);
      case EnrpMessage.HandleTableRequest request when isServing() -> tables.give(request, peer, now);
      case EnrpMessage.HandleTableRequest request -> tables.reject(request, peer);
      case EnrpMessage.HandleTableResponse response -> {
        if (tables.read(response, peer, now)) {
          startup.copied();
        }
      }
      case EnrpMessage.HandleUpdate update -> news.heard(update, peer.id(), now);
      case EnrpMessage.ListRequest request -> {
        List<ServerInformation> servers = isServing() ? peers.list() : List.of();
        outbox.sendTo(peer, new EnrpMessage.ListResponse(peers.self(), peer.id(), !isServing(), servers));
      }
      case EnrpMessage.ListResponse response -> startup.listed(response, peer, now);
      case EnrpMessage.InitTakeover init -> watch.announced(init, peer, now);
      case EnrpMessage.InitTakeoverAck ack -> watch.agreed(ack, peer, now);
      case EnrpMessage.TakeoverServer takeover -> watch.finished(takeover, peer, now);
      case EnrpMessage.ExperienceReport report -> report.pools().forEach(pool -> experienced(pool, now));
      case EnrpMessage.ErrorReport report -> {
        // Ignored: the sender recovers without us.
      }
    }
  }

  /** Reports of another registrar's users count as those of its own. Elements that are unknown here are ignored. */
  private void experienced(PoolExperience pool, long now) {
    for (PoolExperience.Report report : pool.reports()) {
      ElementKey key;
      try {
        key = Descriptions.key(pool.handle(), report.experience().id());
      } catch (RnsException e) {
        return;
      }
      handlespace.experienced(key, report.experience(), report.host(), now);
    }
  }

  private void present(Peer peer, long sender, Presence presence, long now) {
    presence.information().filter(at -> at.id() == peer.id()).ifPresent(at -> peer.listensAt(at.transport()));
    if (!isServing()) {
      // It may be one that has heard the announcement of this one.
      presence.information().filter(at -> announcement.isPresent() && at.id() == peer.id())
          .ifPresent(at -> startup.found(at.transport(), sender, now));
      return;
    }
    if (presence.replyRequired()) {
      peers.greet(peer, false);
    }
    tables.compare(presence, peer, now);
    // A peer that names no reporter counts as one.
    presence.unreachable().ifPresent(
        report -> unreachable(report.element(), report.reporter().orElse(Integer.toUnsignedLong(peer.id())), now));
  }

  private void announce(AsapMessage.ServerAnnounce own, long now) {
    outbox.announce(peers.presence(0, false, Optional.empty()));
    outbox.announce(own);
    peers.greet(found.all(now));
  }

  /** Handles due timers, including those that just became due, and returns the effects. */
  private List<Effect> settle(long now) {
    tables.run(now);
    startup.run(now);
    experiences.run(now);
    if (isServing()) {
      if (nextHeartbeat == Long.MAX_VALUE || nextHeartbeat <= now) {
        peers.greetAll(nextHeartbeat == Long.MAX_VALUE);
        peers.greet(places);
        announcement.ifPresent(own -> announce(own, now));
        nextHeartbeat = now + settings.heartbeatMillis() * 7 / 8 + random.nextLong(settings.heartbeatMillis() / 4 + 1);
      }
      watch.run(now);
    }
    List<TimerEvent> events;
    do {
      events = handlespace.run(now, STEP);
      events.forEach(event -> elements.happened(event, now));
    } while (events.size() == STEP);
    return outbox.take();
  }
}
