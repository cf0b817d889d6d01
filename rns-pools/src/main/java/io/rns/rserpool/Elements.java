package io.rns.rserpool;

import io.rns.pool.Occupancy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Pool elements, policies, registrars and error causes on the wire (RFC 5354, sections 3.8 to 3.12). */
final class Elements {
  private Elements() {}

  static void write(Encoder out, ElementDescription element) {
    int start = out.begin(ParameterType.POOL_ELEMENT);
    out.u32(element.id()).u32(element.home()).u32(element.lifeSeconds());
    Transports.write(out, element.user());
    write(out, element.policy());
    element.control().ifPresent(control -> Transports.write(out, control));
    element.version().ifPresent(version -> writeLong(out, ParameterType.ELEMENT_VERSION, version));
    element.occupancy().ifPresent(occupancy -> write(out, occupancy));
    out.end(start);
  }

  static void write(Encoder out, List<ElementDescription> elements) {
    for (ElementDescription element : elements) {
      write(out, element);
    }
  }

  static void write(Encoder out, SelectionPolicy policy) {
    int start = out.begin(ParameterType.SELECTION_POLICY);
    out.u32(policy.type()).octets(policy.data());
    out.end(start);
  }

  private static void write(Encoder out, Occupancy occupancy) {
    int start = out.begin(ParameterType.OCCUPANCY);
    out.u32(occupancy.epoch()).u64(occupancy.accepted()).u32(occupancy.occupied()).u32(occupancy.limit());
    out.end(start);
  }

  static void writeLong(Encoder out, int type, long value) {
    int start = out.begin(type);
    out.u64(value);
    out.end(start);
  }

  static void write(Encoder out, ServerInformation information) {
    int start = out.begin(ParameterType.SERVER_INFORMATION);
    out.u32(information.id());
    Transports.write(out, information.transport());
    out.end(start);
  }

  /** Writes nothing if there are no causes. */
  static void writeCauses(Encoder out, List<ErrorCause> causes) {
    if (!causes.isEmpty()) {
      int start = out.begin(ParameterType.OPERATION_ERROR);
      for (ErrorCause cause : causes) {
        out.parameter(cause.code(), cause.information());
      }
      out.end(start);
    }
  }

  static ElementDescription read(ParameterReader in) throws Stopped {
    Input value = in.take(ParameterType.POOL_ELEMENT);
    int id = value.s32();
    int home = value.s32();
    int life = value.s32();
    if (id == 0 || life < ElementDescription.FOREVER) {
      throw Stopped
          .malformed("a pool element with id " + Integer.toUnsignedString(id) + " and a lifetime of " + life + " s");
    }
    ParameterReader parts = new ParameterReader(value, in.reports());
    Transport user = Transports.read(parts);
    SelectionPolicy policy = readPolicy(parts);
    boolean controlled = ParameterType.isTransport(parts.nextType());
    Optional<Transport> control = controlled ? Optional.of(Transports.read(parts)) : Optional.empty();
    Optional<Long> version = readLong(parts, ParameterType.ELEMENT_VERSION);
    if (version.isPresent() && version.get() < 0) {
      throw Stopped.malformed("version " + version.get() + " of a pool element is below 0");
    }
    Optional<Occupancy> occupancy = readOccupancy(parts);
    parts.end();
    return new ElementDescription(id, home, life, user, policy, control, version, occupancy);
  }

  static List<ElementDescription> readAll(ParameterReader in) throws Stopped {
    List<ElementDescription> elements = new ArrayList<>();
    while (in.nextIs(ParameterType.POOL_ELEMENT)) {
      elements.add(read(in));
    }
    return elements;
  }

  static SelectionPolicy readPolicy(ParameterReader in) throws Stopped {
    Input value = in.take(ParameterType.SELECTION_POLICY);
    return new SelectionPolicy(value.s32(), value.rest());
  }

  private static Optional<Occupancy> readOccupancy(ParameterReader in) throws Stopped {
    if (!in.nextIs(ParameterType.OCCUPANCY)) {
      return Optional.empty();
    }
    Input value = in.take(ParameterType.OCCUPANCY);
    long epoch = value.u32();
    long accepted = value.s64();
    long occupied = value.u32();
    long limit = value.u32();
    value.end();
    if (accepted < 0) {
      throw Stopped.malformed(accepted + " accepted requests of a pool element are below 0");
    }
    return Optional.of(new Occupancy(epoch, accepted, occupied, limit));
  }

  static Optional<Long> readLong(ParameterReader in, int type) throws Stopped {
    if (!in.nextIs(type)) {
      return Optional.empty();
    }
    Input value = in.take(type);
    long number = value.s64();
    value.end();
    return Optional.of(number);
  }

  static ServerInformation readServer(ParameterReader in) throws Stopped {
    Input value = in.take(ParameterType.SERVER_INFORMATION);
    int id = value.s32();
    ParameterReader parts = new ParameterReader(value, in.reports());
    Transport transport = Transports.read(parts);
    parts.end();
    return new ServerInformation(id, transport);
  }

  /** Reads the causes of an operation error; empty if that parameter is absent. */
  static List<ErrorCause> readCauses(ParameterReader in) throws Stopped {
    List<ErrorCause> causes = new ArrayList<>();
    if (in.nextIs(ParameterType.OPERATION_ERROR)) {
      Input value = in.take(ParameterType.OPERATION_ERROR);
      while (value.remaining() > 0) {
        causes.add(readCause(value));
      }
      if (causes.isEmpty()) {
        throw Stopped.malformed("an operation error without a cause");
      }
    }
    return causes;
  }

  private static ErrorCause readCause(Input in) throws Stopped {
    int code = in.u16();
    int length = in.u16();
    if (length < WireLimits.HEADER_BYTES) {
      throw Stopped.malformed("error cause " + code + " has a length of " + length);
    }
    Octets information = in.octets(length - WireLimits.HEADER_BYTES);
    in.skipPadding(length);
    return new ErrorCause(code, information);
  }
}
