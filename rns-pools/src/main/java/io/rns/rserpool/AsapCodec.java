package io.rns.rserpool;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.rserpool.AsapMessage.BusinessCard;
import io.rns.rserpool.AsapMessage.Cookie;
import io.rns.rserpool.AsapMessage.CookieEcho;
import io.rns.rserpool.AsapMessage.Deregistration;
import io.rns.rserpool.AsapMessage.DeregistrationResponse;
import io.rns.rserpool.AsapMessage.HandleResolution;
import io.rns.rserpool.AsapMessage.HandleResolutionResponse;
import io.rns.rserpool.AsapMessage.KeepAlive;
import io.rns.rserpool.AsapMessage.KeepAliveAck;
import io.rns.rserpool.AsapMessage.Registration;
import io.rns.rserpool.AsapMessage.RegistrationResponse;
import io.rns.rserpool.AsapMessage.ServerAnnounce;
import io.rns.rserpool.AsapMessage.Unreachable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Encodes and decodes ASAP messages (RFC 5352, section 2.2). */
public final class AsapCodec {
  private static final int REGISTRATION = 0x01;
  private static final int DEREGISTRATION = 0x02;
  private static final int REGISTRATION_RESPONSE = 0x03;
  private static final int DEREGISTRATION_RESPONSE = 0x04;
  private static final int HANDLE_RESOLUTION = 0x05;
  private static final int HANDLE_RESOLUTION_RESPONSE = 0x06;
  private static final int KEEP_ALIVE = 0x07;
  private static final int KEEP_ALIVE_ACK = 0x08;
  private static final int UNREACHABLE = 0x09;
  private static final int SERVER_ANNOUNCE = 0x0a;
  private static final int COOKIE = 0x0b;
  private static final int COOKIE_ECHO = 0x0c;
  private static final int BUSINESS_CARD = 0x0d;
  private static final int ERROR = 0x0e;

  /** Reject, subscribe, accepted or home, depending on the message. */
  private static final int FLAG = 1;

  private AsapCodec() {}

  /**
   * Encodes a message, padded to a multiple of four bytes.
   *
   * @throws RnsException {@link RnsError#LIMIT_EXCEEDED} beyond {@link WireLimits#MESSAGE_BYTES}
   */
  public static byte[] encode(AsapMessage message) {
    Encoder out = new Encoder();
    int start = out.beginMessage(type(message), flag(message) ? FLAG : 0);
    switch (message) {
      case Registration m -> {
        handle(out, m.handle());
        Elements.write(out, m.element());
      }
      case Deregistration m -> handleAndId(out, m.handle(), m.id());
      case RegistrationResponse m -> {
        handleAndId(out, m.handle(), m.id());
        Elements.writeCauses(out, m.causes());
      }
      case DeregistrationResponse m -> {
        handleAndId(out, m.handle(), m.id());
        Elements.writeCauses(out, m.causes());
      }
      case HandleResolution m -> handle(out, m.handle());
      case HandleResolutionResponse m -> write(out, m);
      case KeepAlive m -> handle(out.u32(m.server()), m.handle());
      case KeepAliveAck m -> handleAndId(out, m.handle(), m.id());
      case Unreachable m -> handleAndId(out, m.handle(), m.id());
      case ServerAnnounce m -> write(out, m);
      case Cookie m -> out.parameter(ParameterType.COOKIE, m.value());
      case CookieEcho m -> out.parameter(ParameterType.COOKIE, m.value());
      case BusinessCard m -> Elements.write(handle(out, m.handle()), m.elements());
      case AsapMessage.ErrorReport m -> Elements.writeCauses(out, m.causes());
    }
    out.end(start);
    return out.finish();
  }

  private static int type(AsapMessage message) {
    return switch (message) {
      case Registration m -> REGISTRATION;
      case Deregistration m -> DEREGISTRATION;
      case RegistrationResponse m -> REGISTRATION_RESPONSE;
      case DeregistrationResponse m -> DEREGISTRATION_RESPONSE;
      case HandleResolution m -> HANDLE_RESOLUTION;
      case HandleResolutionResponse m -> HANDLE_RESOLUTION_RESPONSE;
      case KeepAlive m -> KEEP_ALIVE;
      case KeepAliveAck m -> KEEP_ALIVE_ACK;
      case Unreachable m -> UNREACHABLE;
      case ServerAnnounce m -> SERVER_ANNOUNCE;
      case Cookie m -> COOKIE;
      case CookieEcho m -> COOKIE_ECHO;
      case BusinessCard m -> BUSINESS_CARD;
      case AsapMessage.ErrorReport m -> ERROR;
    };
  }

  private static boolean flag(AsapMessage message) {
    return switch (message) {
      case RegistrationResponse m -> m.rejected();
      case HandleResolution m -> m.subscribe();
      case HandleResolutionResponse m -> m.subscribed();
      case KeepAlive m -> m.newHome();
      default -> false;
    };
  }

  private static Encoder handle(Encoder out, Octets handle) {
    out.parameter(ParameterType.POOL_HANDLE, handle);
    return out;
  }

  private static void handleAndId(Encoder out, Octets handle, int id) {
    handle(out, handle).parameter32(ParameterType.ELEMENT_ID, id);
  }

  private static void write(Encoder out, HandleResolutionResponse m) {
    handle(out, m.handle());
    m.policy().ifPresent(policy -> Elements.write(out, policy));
    Elements.write(out, m.elements());
    Elements.writeCauses(out, m.causes());
  }

  private static void write(Encoder out, ServerAnnounce m) {
    out.u32(m.server());
    for (Transport transport : m.transports()) {
      Transports.write(out, transport);
    }
    m.service().ifPresent(address -> out.parameter(ParameterType.SERVICE_ADDRESS, address));
  }

  /** Decodes a message. */
  public static Decoded<AsapMessage> decode(byte[] bytes) {
    return Frame.decode(bytes, "ASAP message", AsapCodec::read);
  }

  private static @Nullable AsapMessage read(Frame frame, ParameterReader in) throws Stopped {
    return switch (frame.type()) {
      case REGISTRATION -> new Registration(handle(in), Elements.read(in));
      case DEREGISTRATION -> new Deregistration(handle(in), id(in));
      case REGISTRATION_RESPONSE ->
        new RegistrationResponse(frame.flag(FLAG), handle(in), id(in), Elements.readCauses(in));
      case DEREGISTRATION_RESPONSE -> new DeregistrationResponse(handle(in), id(in), Elements.readCauses(in));
      case HANDLE_RESOLUTION -> new HandleResolution(frame.flag(FLAG), handle(in));
      case HANDLE_RESOLUTION_RESPONSE -> readResolution(frame, in);
      case KEEP_ALIVE -> new KeepAlive(frame.flag(FLAG), frame.body().s32(), handle(in));
      case KEEP_ALIVE_ACK -> new KeepAliveAck(handle(in), id(in));
      case UNREACHABLE -> new Unreachable(handle(in), id(in));
      case SERVER_ANNOUNCE -> new ServerAnnounce(frame.body().s32(), readTransports(in), readService(in));
      case COOKIE -> new Cookie(in.take(ParameterType.COOKIE).rest());
      case COOKIE_ECHO -> new CookieEcho(in.take(ParameterType.COOKIE).rest());
      case BUSINESS_CARD -> new BusinessCard(handle(in), Elements.readAll(in));
      case ERROR -> new AsapMessage.ErrorReport(causes(in));
      default -> null;
    };
  }

  static Octets handle(ParameterReader in) throws Stopped {
    return in.take(ParameterType.POOL_HANDLE).rest();
  }

  private static int id(ParameterReader in) throws Stopped {
    Input value = in.take(ParameterType.ELEMENT_ID);
    int id = value.s32();
    value.end();
    return id;
  }

  /** Reads at least one cause. */
  static List<ErrorCause> causes(ParameterReader in) throws Stopped {
    List<ErrorCause> causes = Elements.readCauses(in);
    if (causes.isEmpty()) {
      throw Stopped.malformed("an error message without an operation error");
    }
    return causes;
  }

  private static AsapMessage readResolution(Frame frame, ParameterReader in) throws Stopped {
    Octets handle = handle(in);
    boolean named = in.nextIs(ParameterType.SELECTION_POLICY);
    Optional<SelectionPolicy> policy = named ? Optional.of(Elements.readPolicy(in)) : Optional.empty();
    return new HandleResolutionResponse(
        frame.flag(FLAG), handle, policy, Elements.readAll(in), Elements.readCauses(in));
  }

  private static Optional<Octets> readService(ParameterReader in) throws Stopped {
    return in.nextIs(ParameterType.SERVICE_ADDRESS)
        ? Optional.of(in.take(ParameterType.SERVICE_ADDRESS).rest())
        : Optional.empty();
  }

  private static List<Transport> readTransports(ParameterReader in) throws Stopped {
    List<Transport> transports = new ArrayList<>();
    while (ParameterType.isTransport(in.nextType())) {
      transports.add(Transports.read(in));
    }
    return transports;
  }
}
