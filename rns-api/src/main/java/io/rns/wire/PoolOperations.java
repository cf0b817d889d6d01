package io.rns.wire;

import io.rns.api.RnsPath;
import io.rns.pool.ElementPage;
import io.rns.pool.ElementsRequest;
import io.rns.pool.PolicyType;
import io.rns.pool.PoolPage;
import io.rns.pool.PoolResolution;
import io.rns.pool.PoolsRequest;
import io.rns.pool.Registered;
import io.rns.pool.Registration;
import org.jspecify.annotations.Nullable;

/** The operations on server pools: by the name of their element, and as calls of a {@link io.rns.pool.PoolService}. */
public final class PoolOperations {
  static final PoolRegisterCodec REGISTER = new PoolRegisterCodec();
  static final PoolDeregisterCodec DEREGISTER = new PoolDeregisterCodec();
  static final PoolResolveCodec RESOLVE = new PoolResolveCodec();
  static final PoolUnreachableCodec UNREACHABLE = new PoolUnreachableCodec();
  static final PoolListCodec LIST = new PoolListCodec();
  static final PoolElementsCodec ELEMENTS = new PoolElementsCodec();

  private PoolOperations() {}

  /** The operation that an element of {@link Namespaces#EXT} asks for, or null. */
  static @Nullable PoolOperationCodec<?, ?> named(String element) {
    return switch (element) {
      case "poolRegister" -> REGISTER;
      case "poolDeregister" -> DEREGISTER;
      case "poolResolve" -> RESOLVE;
      case "poolUnreachable" -> UNREACHABLE;
      case "poolList" -> LIST;
      case "poolElements" -> ELEMENTS;
      default -> null;
    };
  }

  /** {@link io.rns.pool.PoolService#register}. */
  public static RemoteCall<Registered> register(RnsPath handle, PolicyType policy, Registration registration) {
    return RemoteCall.ofPool(REGISTER, new PoolRegisterCodec.Item(handle, policy, registration));
  }

  /** {@link io.rns.pool.PoolService#deregister}. */
  public static RemoteCall<Boolean> deregister(RnsPath handle, int id) {
    return RemoteCall.ofPool(DEREGISTER, new PoolParts.ElementName(handle, id));
  }

  /** {@link io.rns.pool.PoolService#resolve}. */
  public static RemoteCall<PoolResolution> resolve(RnsPath handle, int items) {
    return RemoteCall.ofPool(RESOLVE, new PoolResolveCodec.Item(handle, items));
  }

  /** {@link io.rns.pool.PoolService#unreachable}. */
  public static RemoteCall<Boolean> unreachable(RnsPath handle, int id) {
    return RemoteCall.ofPool(UNREACHABLE, new PoolParts.ElementName(handle, id));
  }

  /** {@link io.rns.pool.PoolService#pools}. */
  public static RemoteCall<PoolPage> pools(PoolsRequest request) {
    return RemoteCall.ofPool(LIST, request);
  }

  /** {@link io.rns.pool.PoolService#elements}. */
  public static RemoteCall<ElementPage> elements(ElementsRequest request) {
    return RemoteCall.ofPool(ELEMENTS, request);
  }
}
