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
import io.rns.rserpool.UpdateAction;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What elements ask of their registrar, and it of them (RFC 5352, sections 3.1 to 3.5). */
final class ElementService {
  private final int self;
  private final Handlespace handlespace;
  private final Peers peers;
  private final Outbox outbox;
  private final News news;
  private final RegistrarCounters tally;

  /** Elements that have not heard yet who their home is. */
  private final Set<ElementKey> strangers = new HashSet<>();

  private final Losses losses = new Losses();

  ElementService(Handlespace handlespace, Peers peers, Outbox outbox, News news, RegistrarCounters tally) {
    this.self = peers.self();
    this.handlespace = handlespace;
    this.peers = peers;
    this.outbox = outbox;
    this.news = news;
    this.tally = tally;
  }

  void register(AsapMessage.Registration message, long connection, long now) {
    List<ErrorCause> causes;
    try {
      causes = register(message, Descriptions.registration(message.element()), connection, now);
    } catch (RnsException e) {
      causes = List.of(Descriptions.cause(e));
    }
    if (!causes.isEmpty()) {
      tally.rejected();
    }
    int id = message.element().id();
    outbox.answer(connection, new RegistrationResponse(!causes.isEmpty(), message.handle(), id, causes));
  }

  private List<ErrorCause> register(
      AsapMessage.Registration message, Registration registration, long connection, long now) {
    ElementKey key = Descriptions.key(message.handle(), registration.id());
    PolicyType policy = PolicyData.type(message.element().policy());
    TableEntry entry = new TableEntry(key.handle(), policy, new RegisteredElement(registration, self, 0));
    checkLength(entry);
    Optional<Endpoints.Kind> other = otherKind(entry);
    if (other.isPresent()) {
      return List.of(refused(entry, other.get()));
    }
    return switch (handlespace.register(key.handle(), policy, registration, now)) {
      case RegistrationOutcome.Registered registered -> accepted(message, key, registered.element(), connection);
      case RegistrationOutcome.Renewed renewed -> accepted(message, key, renewed.element(), connection);
      case RegistrationOutcome.OtherPolicy is ->
        List.of(ErrorCause.of(ErrorCause.OTHER_POLICY,
            "the policy is " + is.policy() + ", not " + policy + ", in pool " + key.handle()));
      case RegistrationOutcome.IdTaken taken ->
        List.of(ErrorCause.of(ErrorCause.ID_NOT_UNIQUE,
            "id " + Integer.toUnsignedString(key.id()) + " is of another element of pool " + key.handle()));
      case RegistrationOutcome.Full full ->
        List.of(
            ErrorCause.of(
                ErrorCause.NO_RESOURCES,
                full.what() + " are limited to " + full.limit() + ": no place in pool " + key.handle()));
      case RegistrationOutcome.NoHandle no ->
        List.of(ErrorCause.of(ErrorCause.INVALID_VALUES, "the root cannot be a pool"));
    };
  }

  /**
   * As by a message, from somebody without a connection.
   *
   * @throws RnsException {@link RnsError#LIMIT_EXCEEDED}, or {@link RnsError#INVALID_REQUEST} if other elements of the
   *         pool have endpoints of another kind
   */
  RegistrationOutcome register(TableEntry entry, long now) {
    checkLength(entry);
    Optional<Endpoints.Kind> other = otherKind(entry);
    if (other.isPresent()) {
      throw new RnsException(RnsError.INVALID_REQUEST, otherKind(entry.handle(), other.get()));
    }
    RegistrationOutcome outcome =
        handlespace.register(entry.handle(), entry.policy(), entry.element().registration(), now);
    if (outcome instanceof RegistrationOutcome.Registered registered) {
      accepted(entry, registered.element());
    } else if (outcome instanceof RegistrationOutcome.Renewed renewed) {
      accepted(entry, renewed.element());
    }
    return outcome;
  }

  /** Peers are told what the element said. */
  private List<ErrorCause> accepted(
      AsapMessage.Registration message, ElementKey key, RegisteredElement element, long connection) {
    if (!strangers.isEmpty()) {
      strangers.remove(key);
    }
    outbox.heard(key, connection);
    news.tell(message.handle(), message.element(), element);
    return List.of();
  }

  private void accepted(TableEntry entry, RegisteredElement element) {
    strangers.remove(entry.key());
    outbox.forget(entry.key());
    news.tell(UpdateAction.ADD_ELEMENT, new TableEntry(entry.handle(), entry.policy(), element));
  }

  /** What is too long to be told to peers cannot be taken. */
  private void checkLength(TableEntry entry) {
    if (Limits.PATH_BYTES + Descriptions.mostBytes(entry.element().registration()) <= RegistrarSettings.ELEMENT_BYTES) {
      // Nearly all: to write it only to count would cost as much as to tell it.
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

  /** The first element of a pool decides the transport of all. */
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

  /** Whether it was registered. */
  boolean deregister(ElementKey key, long now) {
    PolicyType policy = handlespace.policy(key.handle()).orElse(PolicyType.ROUND_ROBIN);
    if (handlespace.deregister(key, now) instanceof DeregistrationOutcome.Removed removed) {
      gone(new TableEntry(key.handle(), policy, removed.element()));
      return true;
    }
    return false;
  }

  /** Tells peers. Of an element with another home the news have to be newer than what that one knows. */
  private void gone(TableEntry entry) {
    RegisteredElement element = entry.element();
    long version = element.home() == self ? element.version() : element.version() + 1;
    RegisteredElement last = new RegisteredElement(element.registration(), self, version);
    news.tell(UpdateAction.DELETE_ELEMENT, new TableEntry(entry.handle(), entry.policy(), last));
    strangers.remove(entry.key());
    outbox.forget(entry.key());
  }

  /** An element lives. One that is not known is told so, for it to register again. */
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
      strangers.remove(key);
      outbox.heard(key, connection);
    }
  }

  /** A user could not reach an element: its home has to know. */
  void unreachable(ElementKey key, long now) {
    PolicyType policy = handlespace.policy(key.handle()).orElse(PolicyType.ROUND_ROBIN);
    switch (handlespace.reportUnreachable(key, now)) {
      case UnreachableOutcome.Removed removed -> {
        TableEntry entry = new TableEntry(key.handle(), policy, removed.element());
        losses.add(entry, Loss.REPORTED, now);
        tally.lost();
        news.dismiss(entry, ErrorCause.of(ErrorCause.UNSPECIFIED, "users could not reach the element"));
        gone(entry);
      }
      case UnreachableOutcome.OtherHome other -> {
        Peer home = peers.find(other.home());
        if (home != null) {
          outbox.tell(home, peers.presence(home.id(), false, Optional.of(Descriptions.name(key))));
        }
      }
      case UnreachableOutcome.Counted counted -> {
      }
      case UnreachableOutcome.Unknown unknown -> {
      }
    }
  }

  /** Elements came from a dead registrar: each is to hear who its home is. */
  void takenOver(List<TableEntry> entries) {
    // Some have found another home, or went, without ever answering.
    strangers.removeIf(key -> handlespace.element(key).filter(element -> element.home() == self).isEmpty());
    entries.forEach(entry -> strangers.add(entry.key()));
  }

  /** The last that were lost here. */
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
   * One that came without a connection and listens nowhere cannot be asked: it lives by its lifetime, if that has an
   * end.
   */
  private void ask(TableEntry entry) {
    Registration registration = entry.element().registration();
    boolean endless = registration.lifetimeMillis() == Registration.FOREVER;
    if (reaches(entry.key(), registration) || endless) {
      outbox.tell(entry, new KeepAlive(strangers.contains(entry.key()), self, Descriptions.handle(entry.handle())));
    } else {
      handlespace.leaveToLifetime(entry.key());
    }
  }

  /** Whether there is a way to ask an element. */
  boolean reaches(ElementKey key, Registration registration) {
    return outbox.reaches(key, registration);
  }

  /**
   * The connection of an element is lost: asked elsewhere whether it lives, or else it has to connect again, and soon.
   */
  void disconnected(ElementKey key, long now) {
    boolean listens = handlespace.element(key).flatMap(element -> element.registration().control()).isPresent();
    if (listens) {
      handlespace.ask(key, now);
    } else {
      handlespace.await(key, now);
    }
  }

  /** Every registrar has timers for lifetimes of its own: only the home tells. */
  private void lost(TableEntry entry, String why, Loss loss, long now) {
    if (entry.element().home() == self) {
      losses.add(entry, loss, now);
      tally.lost();
      news.dismiss(entry, ErrorCause.of(ErrorCause.UNSPECIFIED, why));
      gone(entry);
    }
  }
}
