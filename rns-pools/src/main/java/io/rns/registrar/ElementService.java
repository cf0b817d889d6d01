package io.rns.registrar;

import io.rns.api.RnsPath;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.handlespace.DeregistrationOutcome;
import io.rns.handlespace.ElementKey;
import io.rns.handlespace.Handlespace;
import io.rns.handlespace.RegisteredElement;
import io.rns.handlespace.RegistrationOutcome;
import io.rns.handlespace.TableEntry;
import io.rns.handlespace.TimerEvent;
import io.rns.handlespace.UnreachableOutcome;
import io.rns.pool.ElementPage.Loss;
import io.rns.pool.PolicyType;
import io.rns.pool.Registration;
import io.rns.rserpool.AsapMessage;
import io.rns.rserpool.AsapMessage.Deregistration;
import io.rns.rserpool.AsapMessage.DeregistrationResponse;
import io.rns.rserpool.AsapMessage.KeepAlive;
import io.rns.rserpool.AsapMessage.KeepAliveAck;
import io.rns.rserpool.AsapMessage.RegistrationResponse;
import io.rns.rserpool.EnrpCodec;
import io.rns.rserpool.ErrorCause;
import io.rns.rserpool.UnreachableElement;
import io.rns.rserpool.UpdateAction;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Requests of pool elements, and keep-alives to them (RFC 5352, sections 3.1 to 3.5). */
final class ElementService {
  private final int self;
  private final Handlespace handlespace;
  private final Peers peers;
  private final Outbox outbox;
  private final News news;
  private final RegistrarCounters counters;

  /** Elements taken over that have not yet been informed of their new home. */
  private final Set<ElementKey> strangers = new HashSet<>();

  private final Losses losses = new Losses();

  ElementService(Handlespace handlespace, Peers peers, Outbox outbox, News news, RegistrarCounters counters) {
    this.self = peers.self();
    this.handlespace = handlespace;
    this.peers = peers;
    this.outbox = outbox;
    this.news = news;
    this.counters = counters;
  }

  /**
   * Registers an element that has a connection.
   *
   * @param host a number of the element's host, see {@link Reporters}
   */
  void register(AsapMessage.Registration message, long connection, long host, long now) {
    List<ErrorCause> causes;
    try {
      causes = register(message, Descriptions.registration(message.element()), connection, host, now);
    } catch (RnsException e) {
      causes = List.of(Descriptions.cause(e));
    }
    if (!causes.isEmpty()) {
      counters.rejected();
    }
    int id = message.element().id();
    outbox.answer(connection, new RegistrationResponse(!causes.isEmpty(), message.handle(), id, causes));
  }

  private List<ErrorCause> register(
      AsapMessage.Registration message, Registration registration, long connection, long host, long now) {
    ElementKey key = Descriptions.key(message.handle(), registration.id());
    PolicyType policy = PolicyData.type(message.element().policy());
    TableEntry entry = new TableEntry(key.handle(), policy, new RegisteredElement(registration, self, 0));
    checkLength(entry);
    Optional<Endpoints.Kind> other = otherKind(entry);
    if (other.isPresent()) {
      return List.of(refused(entry, other.get()));
    }
    return switch (handlespace.register(key.handle(), policy, registration, host, now)) {
      case RegistrationOutcome.Registered registered -> accepted(message, key, registered.element(), connection);
      case RegistrationOutcome.Renewed renewed -> accepted(message, key, renewed.element(), connection);
      case RegistrationOutcome.OtherPolicy is ->
        List.of(ErrorCause.of(ErrorCause.OTHER_POLICY,
            "the policy is " + is.policy() + ", not " + policy + ", in pool " + key.handle()));
      case RegistrationOutcome.IdTaken taken ->
        List.of(ErrorCause.of(ErrorCause.ID_NOT_UNIQUE,
            "id " + Integer.toUnsignedString(key.id()) + " belongs to another element of pool " + key.handle()));
      case RegistrationOutcome.Full full ->
        List.of(
            ErrorCause.of(
                ErrorCause.NO_RESOURCES,
                full.what() + " are limited to " + full.limit() + ": no room in pool " + key.handle()
                    + ", which would make " + full.value()));
      case RegistrationOutcome.NoHandle no ->
        List.of(ErrorCause.of(ErrorCause.INVALID_VALUES, "the root cannot be a pool"));
    };
  }

  /**
   * Registers an element that has no connection.
   *
   * @param host a number of the caller's host, see {@link Reporters}
   * @throws RnsException {@link RnsError#LIMIT_EXCEEDED}, or {@link RnsError#INVALID_REQUEST} if the other elements of
   *         the pool have endpoints of another kind
   */
  RegistrationOutcome register(TableEntry entry, long host, long now) {
    checkLength(entry);
    Optional<Endpoints.Kind> other = otherKind(entry);
    if (other.isPresent()) {
      throw new RnsException(RnsError.INVALID_REQUEST, otherKind(entry.handle(), other.get()));
    }
    RegistrationOutcome outcome =
        handlespace.register(entry.handle(), entry.policy(), entry.element().registration(), host, now);
    if (outcome instanceof RegistrationOutcome.Registered registered) {
      accepted(entry, registered.element());
    } else if (outcome instanceof RegistrationOutcome.Renewed renewed) {
      accepted(entry, renewed.element());
    }
    return outcome;
  }

  /** Forwards the registration to peers as the element sent it. */
  private List<ErrorCause> accepted(
      AsapMessage.Registration message, ElementKey key, RegisteredElement element, long connection) {
    if (!strangers.isEmpty()) {
      strangers.remove(key);
    }
    outbox.heard(key, connection);
    news.announce(message.handle(), message.element(), element);
    return List.of();
  }

  private void accepted(TableEntry entry, RegisteredElement element) {
    strangers.remove(entry.key());
    outbox.forget(entry.key());
    news.announce(UpdateAction.ADD_ELEMENT, new TableEntry(entry.handle(), entry.policy(), element));
  }

  /** Rejects elements too long to announce to peers. */
  private void checkLength(TableEntry entry) {
    if (Limits.PATH_BYTES + Descriptions.mostBytes(entry.element().registration()) <= RegistrarSettings.ELEMENT_BYTES) {
      // Skips the exact check for nearly all elements: encoding costs as much as sending.
      return;
    }
    int length = EnrpCodec.encode(News.update(self, UpdateAction.ADD_ELEMENT, entry)).length;
    if (length > RegistrarSettings.ELEMENT_BYTES) {
      throw new RnsException(
          RnsError.LIMIT_EXCEEDED,
          "handle and element take " + length + " bytes; the limit is " + RegistrarSettings.ELEMENT_BYTES
              + " bytes: element "
              + Integer.toUnsignedString(entry.element().id()) + " of pool " + entry.handle());
    }
  }

  /** The first element of a pool determines the transport of all. */
  private Optional<Endpoints.Kind> otherKind(TableEntry entry) {
    Optional<RegisteredElement> known = handlespace.element(entry.key());
    if (known.isPresent()
        && known.get().registration().endpoints().equals(entry.element().registration().endpoints())) {
      return Optional.empty();
    }
    ElementKey before = new ElementKey(entry.handle(), 0);
    Endpoints.Kind kind = Endpoints.Kind.of(entry.element().registration());
    return handlespace.synchronisation().table(Optional.of(before), 1).entries().stream()
        .filter(first -> first.handle().equals(entry.handle()) && first.element().id() != entry.element().id())
        .map(first -> Endpoints.Kind.of(first.element().registration()))
        .filter(first -> !first.equals(kind))
        .findFirst();
  }

  private static ErrorCause refused(TableEntry entry, Endpoints.Kind first) {
    boolean sameProtocol = first.protocol().equals(Endpoints.Kind.of(entry.element().registration()).protocol());
    int code = sameProtocol ? ErrorCause.OTHER_TRANSPORT_USE : ErrorCause.OTHER_TRANSPORT;
    return ErrorCause.of(code, otherKind(entry.handle(), first));
  }

  private static String otherKind(RnsPath handle, Endpoints.Kind first) {
    return "the elements of pool " + handle + " have endpoints of the kind " + first;
  }

  void deregister(Deregistration message, long connection, long now) {
    List<ErrorCause> causes = List.of();
    try {
      deregister(Descriptions.key(message.handle(), message.id()), now);
    } catch (RnsException e) {
      causes = List.of(Descriptions.cause(e));
    }
    outbox.answer(connection, new DeregistrationResponse(message.handle(), message.id(), causes));
  }

  /** Returns whether the element was registered. */
  boolean deregister(ElementKey key, long now) {
    PolicyType policy = handlespace.policy(key.handle()).orElse(PolicyType.ROUND_ROBIN);
    if (handlespace.deregister(key, now) instanceof DeregistrationOutcome.Removed removed) {
      gone(new TableEntry(key.handle(), policy, removed.element()));
      return true;
    }
    return false;
  }

  /**
   * Announces the removal to peers. If the element has another home, the version must exceed the one its home knows.
   */
  private void gone(TableEntry entry) {
    RegisteredElement element = entry.element();
    long version = element.home() == self ? element.version() : element.version() + 1;
    RegisteredElement last = new RegisteredElement(element.registration(), self, version);
    news.announce(UpdateAction.DELETE_ELEMENT, new TableEntry(entry.handle(), entry.policy(), last));
    strangers.remove(entry.key());
    outbox.forget(entry.key());
  }

  /** Handles a keep-alive acknowledgement. An unknown element receives a deregistration, so that it registers again. */
  void acknowledged(KeepAliveAck message, long connection, long now) {
    ElementKey key;
    try {
      key = Descriptions.key(message.handle(), message.id());
    } catch (RnsException e) {
      return;
    }
    if (handlespace.element(key).isEmpty()) {
      List<ErrorCause> causes = List.of(ErrorCause.of(ErrorCause.UNSPECIFIED, "the element is not registered"));
      outbox.answer(connection, new DeregistrationResponse(message.handle(), message.id(), causes));
    } else if (handlespace.acknowledge(key, now)) {
      outbox.heard(key, connection);
      if (strangers.remove(key)) {
        handlespace.confirmHome(key).ifPresent(entry -> news.announce(UpdateAction.ADD_ELEMENT, entry));
      }
    }
  }

  /**
   * Handles a user's report that an element is unreachable; forwards it if the element has another home.
   *
   * @param reporter a number of the user's host, see {@link Reporters}
   */
  void unreachable(ElementKey key, long reporter, long now) {
    PolicyType policy = handlespace.policy(key.handle()).orElse(PolicyType.ROUND_ROBIN);
    switch (handlespace.reportUnreachable(key, reporter, now)) {
      case UnreachableOutcome.Removed removed -> {
        TableEntry entry = new TableEntry(key.handle(), policy, removed.element());
        losses.add(entry, Loss.REPORTED, now);
        counters.lost();
        news.dismiss(entry, ErrorCause.of(ErrorCause.UNSPECIFIED, "users could not reach the element"));
        gone(entry);
      }
      case UnreachableOutcome.OtherHome other -> {
        Peer home = peers.find(other.home());
        if (home != null) {
          UnreachableElement report = new UnreachableElement(Descriptions.name(key), Optional.of(reporter));
          outbox.sendTo(home, peers.presence(home.id(), false, Optional.of(report)));
        }
      }
      case UnreachableOutcome.Counted counted -> {
      }
      case UnreachableOutcome.Unknown unknown -> {
      }
    }
  }

  /** Marks elements of a failed registrar: each must learn its new home. */
  void takenOver(List<TableEntry> entries) {
    // Drop elements that deregistered or moved to another home before they answered.
    strangers.removeIf(key -> handlespace.element(key).filter(element -> element.home() == self).isEmpty());
    entries.forEach(entry -> strangers.add(entry.key()));
  }

  /** The elements lost most recently. */
  Losses losses() {
    return losses;
  }

  void happened(TimerEvent event, long now) {
    TableEntry entry = event.entry();
    switch (event) {
      case TimerEvent.KeepAliveDue due -> ask(entry);
      case TimerEvent.KeepAliveMissed missed -> lost(entry, "the element did not answer", Loss.SILENT, now);
      case TimerEvent.LifetimeExpired expired -> lost(entry, "the registration was not renewed", Loss.EXPIRED, now);
    }
  }

  /**
   * Sends a keep-alive. An element that registered without a connection and has no control transport cannot be reached;
   * unless its lifetime is infinite, it then lives until its lifetime ends.
   */
  private void ask(TableEntry entry) {
    Registration registration = entry.element().registration();
    boolean endless = registration.lifetimeMillis() == Registration.FOREVER;
    if (reaches(entry.key(), registration) || endless) {
      outbox.sendTo(entry, new KeepAlive(strangers.contains(entry.key()), self, Descriptions.handle(entry.handle())));
    } else {
      handlespace.leaveToLifetime(entry.key());
    }
  }

  /** Whether a message can reach an element. */
  boolean reaches(ElementKey key, Registration registration) {
    return outbox.reaches(key, registration);
  }

  /**
   * Handles a lost connection: sends a keep-alive if the element has a control transport; otherwise the element must
   * reconnect within the keep-alive timeout.
   */
  void disconnected(ElementKey key, long now) {
    boolean listens = handlespace.element(key).flatMap(element -> element.registration().control()).isPresent();
    if (listens) {
      handlespace.ask(key, now);
    } else {
      handlespace.await(key, now);
    }
  }

  /** Every registrar runs lifetime timers; only the home announces the loss. */
  private void lost(TableEntry entry, String why, Loss loss, long now) {
    if (entry.element().home() == self) {
      losses.add(entry, loss, now);
      counters.lost();
      news.dismiss(entry, ErrorCause.of(ErrorCause.UNSPECIFIED, why));
      gone(entry);
    }
  }
}
