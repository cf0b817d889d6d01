package io.rns.rserpool;

import io.rns.pool.ElementExperience;
import io.rns.pool.Occupancy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** Random valid messages. */
public final class RandomMessages {
  private final RandomGenerator random;

  /** Draws from a generator. */
  public RandomMessages(RandomGenerator random) {
    this.random = random;
  }

  private Octets octets(int max) {
    byte[] bytes = new byte[random.nextInt(max + 1)];
    random.nextBytes(bytes);
    return Octets.of(bytes);
  }

  private Octets handle() {
    return flag() ? octets(30) : Octets.utf8(flag() ? "/a" : "/b");
  }

  private int number() {
    return random.nextBoolean() ? random.nextInt() : random.nextInt(3) - 1;
  }

  private boolean flag() {
    return random.nextBoolean();
  }

  private <T> List<T> some(Supplier<T> one, int least, int most) {
    List<T> list = new ArrayList<>();
    for (int left = least + random.nextInt(most - least + 1); left > 0; left--) {
      list.add(one.get());
    }
    return list;
  }

  private <T> Optional<T> maybe(Supplier<T> one) {
    return flag() ? Optional.of(one.get()) : Optional.empty();
  }

  private IpAddress address() {
    byte[] bytes = new byte[flag() ? 4 : 16];
    random.nextBytes(bytes);
    return new IpAddress(Octets.of(bytes));
  }

  private TransportUse use() {
    return flag() ? TransportUse.DATA_ONLY : TransportUse.DATA_AND_CONTROL;
  }

  private Transport transport() {
    int port = random.nextInt(0x1_0000);
    return switch (random.nextInt(6)) {
      case 0 -> new Transport.Dccp(port, number(), address());
      case 1 -> new Transport.Sctp(port, use(), some(this::address, 1, 4));
      case 2 -> new Transport.Tcp(port, use(), address());
      case 3 -> new Transport.Udp(port, address());
      case 4 -> new Transport.UdpLite(port, address());
      default -> new Transport.Opaque(octets(40));
    };
  }

  private SelectionPolicy policy() {
    return flag() ? new SelectionPolicy(1 + random.nextInt(3), Octets.NONE) : new SelectionPolicy(number(), octets(20));
  }

  private Occupancy occupancy() {
    return new Occupancy(
        random.nextInt() & 0xffff_ffffL, random.nextLong() >>> 1, random.nextInt() & 0xffff_ffffL, random.nextInt(9));
  }

  private ElementDescription element() {
    int id = (flag() ? random.nextInt() : random.nextInt(4)) | 1;
    return new ElementDescription(
        id,
        number(),
        random.nextInt(100) - 1,
        transport(),
        policy(),
        maybe(this::transport),
        maybe(() -> random.nextLong() >>> 1),
        maybe(this::occupancy));
  }

  private ErrorCause cause() {
    return new ErrorCause(random.nextInt(0x1_0000), octets(30));
  }

  private ServerInformation server() {
    return new ServerInformation(number(), transport());
  }

  private ElementName name() {
    return new ElementName(handle(), number());
  }

  /** A random ASAP message. */
  public AsapMessage asap() {
    Octets handle = handle();
    return switch (random.nextInt(14)) {
      case 0 -> new AsapMessage.Registration(handle, element());
      case 1 -> new AsapMessage.Deregistration(handle, number());
      case 2 -> new AsapMessage.RegistrationResponse(flag(), handle, number(), some(this::cause, 0, 3));
      case 3 -> new AsapMessage.DeregistrationResponse(handle, number(), some(this::cause, 0, 3));
      case 4 -> new AsapMessage.HandleResolution(flag(), handle);
      case 5 ->
        new AsapMessage.HandleResolutionResponse(
            flag(), handle, maybe(this::policy), some(this::element, 0, 3), some(this::cause, 0, 3));
      case 6 -> new AsapMessage.KeepAlive(flag(), number(), handle);
      case 7 -> new AsapMessage.KeepAliveAck(handle, number());
      case 8 -> new AsapMessage.Unreachable(handle, number());
      case 9 -> new AsapMessage.ServerAnnounce(number(), some(this::transport, 0, 3), maybe(() -> octets(30)));
      case 10 -> new AsapMessage.Cookie(octets(50));
      case 11 -> new AsapMessage.CookieEcho(octets(50));
      case 12 -> new AsapMessage.BusinessCard(handle, some(this::element, 0, 3));
      default -> new AsapMessage.ErrorReport(some(this::cause, 1, 3));
    };
  }

  private PoolExperience.Report experience() {
    ElementExperience met =
        flag()
            ? ElementExperience.failed(number())
            : ElementExperience.answered(number(), random.nextLong(ElementExperience.MOST_MILLIS + 1));
    return new PoolExperience.Report(random.nextLong(), met);
  }

  /** A random ENRP message. */
  public EnrpMessage enrp() {
    int from = number();
    int to = number();
    Octets handle = handle();
    return switch (random.nextInt(11)) {
      case 10 ->
        new EnrpMessage.ExperienceReport(
            from, to, some(() -> new PoolExperience(handle(), some(this::experience, 0, 3)), 0, 3));
      case 0 ->
        new EnrpMessage.Presence(
            from,
            to,
            flag(),
            random.nextInt(0x1_0000),
            maybe(this::server),
            maybe(random::nextLong),
            maybe(() -> new UnreachableElement(name(), maybe(random::nextLong))));
      case 1 -> new EnrpMessage.HandleTableRequest(from, to, flag(), maybe(this::name));
      case 2 ->
        new EnrpMessage.HandleTableResponse(
            from,
            to,
            flag(),
            flag(),
            some(() -> new PoolEntry(handle(), some(this::element, 0, 3)), 0, 3),
            maybe(this::name));
      case 3 ->
        new EnrpMessage.HandleUpdate(
            from, to, flag() ? UpdateAction.ADD_ELEMENT : UpdateAction.DELETE_ELEMENT, handle, element());
      case 4 -> new EnrpMessage.ListRequest(from, to);
      case 5 -> new EnrpMessage.ListResponse(from, to, flag(), some(this::server, 0, 4));
      case 6 -> new EnrpMessage.InitTakeover(from, to, number());
      case 7 -> new EnrpMessage.InitTakeoverAck(from, to, number());
      case 8 -> new EnrpMessage.TakeoverServer(from, to, number());
      default -> new EnrpMessage.ErrorReport(from, to, some(this::cause, 1, 3));
    };
  }
}
