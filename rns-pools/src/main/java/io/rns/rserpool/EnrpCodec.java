package io.rns.rserpool;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.pool.ElementExperience;
import io.rns.rserpool.EnrpMessage.ExperienceReport;
import io.rns.rserpool.EnrpMessage.HandleTableRequest;
import io.rns.rserpool.EnrpMessage.HandleTableResponse;
import io.rns.rserpool.EnrpMessage.HandleUpdate;
import io.rns.rserpool.EnrpMessage.InitTakeover;
import io.rns.rserpool.EnrpMessage.InitTakeoverAck;
import io.rns.rserpool.EnrpMessage.ListRequest;
import io.rns.rserpool.EnrpMessage.ListResponse;
import io.rns.rserpool.EnrpMessage.Presence;
import io.rns.rserpool.EnrpMessage.TakeoverServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Encodes and decodes ENRP messages (RFC 5353, section 2). */
public final class EnrpCodec {
  private static final int PRESENCE = 0x01;
  private static final int HANDLE_TABLE_REQUEST = 0x02;
  private static final int HANDLE_TABLE_RESPONSE = 0x03;
  private static final int HANDLE_UPDATE = 0x04;
  private static final int LIST_REQUEST = 0x05;
  private static final int LIST_RESPONSE = 0x06;
  private static final int INIT_TAKEOVER = 0x07;
  private static final int INIT_TAKEOVER_ACK = 0x08;
  private static final int TAKEOVER_SERVER = 0x09;
  private static final int ERROR = 0x0a;

  /** Of ours; the top bits 00 make other implementations drop it. */
  private static final int EXPERIENCE_REPORT = 0x2b;

  /** In place of a response time: the element failed. */
  private static final long FAILED = 0xffff_ffffL;

  /** Reply required, own only, or reject, depending on the message. */
  private static final int FLAG = 1;

  private static final int MORE = 2;

  private EnrpCodec() {}

  /**
   * Encodes a message, padded to a multiple of four bytes.
   *
   * @throws RnsException {@link RnsError#LIMIT_EXCEEDED} beyond {@link WireLimits#MESSAGE_BYTES}
   */
  public static byte[] encode(EnrpMessage message) {
    Encoder out = new Encoder();
    int start = out.beginMessage(type(message), flags(message));
    out.u32(message.sender()).u32(message.receiver());
    switch (message) {
      case Presence m -> write(out, m);
      case HandleTableRequest m -> m.after().ifPresent(after -> write(out, ParameterType.TABLE_POSITION, after));
      case HandleTableResponse m -> {
        for (PoolEntry pool : m.pools()) {
          out.parameter(ParameterType.POOL_HANDLE, pool.handle());
          Elements.write(out, pool.elements());
        }
        m.after().ifPresent(after -> write(out, ParameterType.TABLE_POSITION, after));
      }
      case HandleUpdate m -> {
        out.u16(m.action().code()).u16(0).parameter(ParameterType.POOL_HANDLE, m.handle());
        Elements.write(out, m.element());
      }
      case ListRequest m -> {
      }
      case ListResponse m -> {
        for (ServerInformation server : m.servers()) {
          Elements.write(out, server);
        }
      }
      case InitTakeover m -> out.u32(m.target());
      case InitTakeoverAck m -> out.u32(m.target());
      case TakeoverServer m -> out.u32(m.target());
      case ExperienceReport m -> {
        for (PoolExperience pool : m.pools()) {
          write(out, pool);
        }
      }
      case EnrpMessage.ErrorReport m -> Elements.writeCauses(out, m.causes());
    }
    out.end(start);
    return out.finish();
  }

  private static int type(EnrpMessage message) {
    return switch (message) {
      case Presence m -> PRESENCE;
      case HandleTableRequest m -> HANDLE_TABLE_REQUEST;
      case HandleTableResponse m -> HANDLE_TABLE_RESPONSE;
      case HandleUpdate m -> HANDLE_UPDATE;
      case ListRequest m -> LIST_REQUEST;
      case ListResponse m -> LIST_RESPONSE;
      case InitTakeover m -> INIT_TAKEOVER;
      case InitTakeoverAck m -> INIT_TAKEOVER_ACK;
      case TakeoverServer m -> TAKEOVER_SERVER;
      case ExperienceReport m -> EXPERIENCE_REPORT;
      case EnrpMessage.ErrorReport m -> ERROR;
    };
  }

  private static int flags(EnrpMessage message) {
    return switch (message) {
      case Presence m -> m.replyRequired() ? FLAG : 0;
      case HandleTableRequest m -> m.ownOnly() ? FLAG : 0;
      case HandleTableResponse m -> (m.rejected() ? FLAG : 0) | (m.more() ? MORE : 0);
      case ListResponse m -> m.rejected() ? FLAG : 0;
      default -> 0;
    };
  }

  private static void write(Encoder out, Presence m) {
    int checksum = out.begin(ParameterType.CHECKSUM);
    out.u16(m.checksum());
    out.end(checksum);
    m.information().ifPresent(information -> Elements.write(out, information));
    m.versions().ifPresent(versions -> Elements.writeLong(out, ParameterType.VERSIONS_HASH, versions));
    m.unreachable().ifPresent(report -> {
      write(out, ParameterType.UNREACHABLE_ELEMENT, report.element());
      report.reporter().ifPresent(reporter -> Elements.writeLong(out, ParameterType.REPORTER, reporter));
    });
  }

  private static void write(Encoder out, int type, ElementName element) {
    int start = out.begin(type);
    out.u32(element.id()).octets(element.handle());
    out.end(start);
  }

  private static void write(Encoder out, PoolExperience pool) {
    out.parameter(ParameterType.POOL_HANDLE, pool.handle());
    int start = out.begin(ParameterType.EXPERIENCES);
    for (PoolExperience.Report report : pool.reports()) {
      ElementExperience met = report.experience();
      out.u32(met.id()).u64(report.host()).u32(met.answered() ? met.millis() : FAILED);
    }
    out.end(start);
  }

  /** Decodes a message. */
  public static Decoded<EnrpMessage> decode(byte[] bytes) {
    return Frame.decode(bytes, "ENRP message", EnrpCodec::read);
  }

  private static @Nullable EnrpMessage read(Frame frame, ParameterReader in) throws Stopped {
    if ((frame.type() < PRESENCE || frame.type() > ERROR) && frame.type() != EXPERIENCE_REPORT) {
      return null;
    }
    Input body = frame.body();
    int sender = body.s32();
    int receiver = body.s32();
    return switch (frame.type()) {
      case PRESENCE -> readPresence(sender, receiver, frame, in);
      case HANDLE_TABLE_REQUEST ->
        new HandleTableRequest(sender, receiver, frame.flag(FLAG), readName(in, ParameterType.TABLE_POSITION));
      case HANDLE_TABLE_RESPONSE -> readTable(sender, receiver, frame, in);
      case HANDLE_UPDATE -> readUpdate(sender, receiver, body, in);
      case LIST_REQUEST -> new ListRequest(sender, receiver);
      case LIST_RESPONSE -> new ListResponse(sender, receiver, frame.flag(FLAG), readServers(in));
      case INIT_TAKEOVER -> new InitTakeover(sender, receiver, body.s32());
      case INIT_TAKEOVER_ACK -> new InitTakeoverAck(sender, receiver, body.s32());
      case TAKEOVER_SERVER -> new TakeoverServer(sender, receiver, body.s32());
      case EXPERIENCE_REPORT -> new ExperienceReport(sender, receiver, readExperiences(in));
      default -> new EnrpMessage.ErrorReport(sender, receiver, AsapCodec.causes(in));
    };
  }

  private static Presence readPresence(int sender, int receiver, Frame frame, ParameterReader in) throws Stopped {
    Input value = in.take(ParameterType.CHECKSUM);
    int checksum = value.u16();
    value.end();
    boolean informed = in.nextIs(ParameterType.SERVER_INFORMATION);
    Optional<ServerInformation> information = informed ? Optional.of(Elements.readServer(in)) : Optional.empty();
    Optional<Long> versions = Elements.readLong(in, ParameterType.VERSIONS_HASH);
    Optional<ElementName> element = readName(in, ParameterType.UNREACHABLE_ELEMENT);
    Optional<Long> reporter = Elements.readLong(in, ParameterType.REPORTER);
    Optional<UnreachableElement> unreachable = element.map(name -> new UnreachableElement(name, reporter));
    return new Presence(sender, receiver, frame.flag(FLAG), checksum, information, versions, unreachable);
  }

  private static Optional<ElementName> readName(ParameterReader in, int type) throws Stopped {
    if (!in.nextIs(type)) {
      return Optional.empty();
    }
    Input value = in.take(type);
    int id = value.s32();
    return Optional.of(new ElementName(value.rest(), id));
  }

  private static HandleTableResponse readTable(int sender, int receiver, Frame frame, ParameterReader in)
      throws Stopped {
    List<PoolEntry> pools = readPools(in);
    Optional<ElementName> after = readName(in, ParameterType.TABLE_POSITION);
    return new HandleTableResponse(sender, receiver, frame.flag(MORE), frame.flag(FLAG), pools, after);
  }

  private static List<PoolEntry> readPools(ParameterReader in) throws Stopped {
    List<PoolEntry> pools = new ArrayList<>();
    while (in.nextIs(ParameterType.POOL_HANDLE)) {
      pools.add(new PoolEntry(AsapCodec.handle(in), Elements.readAll(in)));
    }
    return pools;
  }

  private static List<PoolExperience> readExperiences(ParameterReader in) throws Stopped {
    List<PoolExperience> pools = new ArrayList<>();
    while (in.nextIs(ParameterType.POOL_HANDLE)) {
      Octets handle = AsapCodec.handle(in);
      Input value = in.take(ParameterType.EXPERIENCES);
      List<PoolExperience.Report> reports = new ArrayList<>();
      while (value.remaining() > 0) {
        reports.add(readReport(value));
      }
      pools.add(new PoolExperience(handle, reports));
    }
    return pools;
  }

  private static PoolExperience.Report readReport(Input value) throws Stopped {
    int id = value.s32();
    long host = value.s64();
    long millis = value.u32();
    if (millis != FAILED && millis > ElementExperience.MOST_MILLIS) {
      throw Stopped.malformed("a response time of " + millis + " ms of a pool element");
    }
    return new PoolExperience.Report(
        host, millis == FAILED ? ElementExperience.failed(id) : ElementExperience.answered(id, millis));
  }

  private static HandleUpdate readUpdate(int sender, int receiver, Input body, ParameterReader in) throws Stopped {
    int code = body.u16();
    body.u16();
    UpdateAction action =
        UpdateAction.ofCode(code)
            .orElseThrow(() -> Stopped.malformed("update action " + code + " is neither 0 nor 1"));
    return new HandleUpdate(sender, receiver, action, AsapCodec.handle(in), Elements.read(in));
  }

  private static List<ServerInformation> readServers(ParameterReader in) throws Stopped {
    List<ServerInformation> servers = new ArrayList<>();
    while (in.nextIs(ParameterType.SERVER_INFORMATION)) {
      servers.add(Elements.readServer(in));
    }
    return servers;
  }
}
