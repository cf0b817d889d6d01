package io.rns.wire.pool;

import io.rns.wire.Namespaces;
import org.jspecify.annotations.Nullable;

/** The operations on server pools, by the name of their element. */
public final class PoolOperations {
  public static final PoolRegisterCodec REGISTER = new PoolRegisterCodec();
  public static final PoolDeregisterCodec DEREGISTER = new PoolDeregisterCodec();
  public static final PoolResolveCodec RESOLVE = new PoolResolveCodec();
  public static final PoolUnreachableCodec UNREACHABLE = new PoolUnreachableCodec();
  public static final PoolExperienceCodec EXPERIENCE = new PoolExperienceCodec();
  public static final PoolListCodec LIST = new PoolListCodec();
  public static final PoolElementsCodec ELEMENTS = new PoolElementsCodec();

  private PoolOperations() {}

  /** The operation of an element of {@link Namespaces#EXT}, or null. */
  public static @Nullable PoolOperationCodec<?, ?> named(String element) {
    return switch (element) {
      case "poolRegister" -> REGISTER;
      case "poolDeregister" -> DEREGISTER;
      case "poolResolve" -> RESOLVE;
      case "poolUnreachable" -> UNREACHABLE;
      case "poolExperience" -> EXPERIENCE;
      case "poolList" -> LIST;
      case "poolElements" -> ELEMENTS;
      default -> null;
    };
  }
}
