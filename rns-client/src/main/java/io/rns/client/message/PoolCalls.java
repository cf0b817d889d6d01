package io.rns.client.message;

import io.rns.api.RnsPath;
import io.rns.pool.ElementPage;
import io.rns.pool.ElementsRequest;
import io.rns.pool.ElementExperience;
import io.rns.pool.PolicyType;
import io.rns.pool.PoolPage;
import io.rns.pool.PoolResolution;
import io.rns.pool.PoolsRequest;
import io.rns.pool.Registered;
import io.rns.pool.Registration;
import io.rns.wire.pool.PoolExperienceCodec;
import io.rns.wire.pool.PoolOperations;
import io.rns.wire.pool.PoolParts;
import io.rns.wire.pool.PoolRegisterCodec;
import io.rns.wire.pool.PoolResolveCodec;
import java.util.List;

/** The calls of a {@link io.rns.pool.PoolService} as messages. */
public final class PoolCalls {
  private PoolCalls() {}

  /** {@link io.rns.pool.PoolService#register}. */
  public static RemoteCall<Registered> register(RnsPath handle, PolicyType policy, Registration registration) {
    return RemoteCall.ofPool(PoolOperations.REGISTER, new PoolRegisterCodec.Item(handle, policy, registration));
  }

  /** {@link io.rns.pool.PoolService#deregister}. */
  public static RemoteCall<Boolean> deregister(RnsPath handle, int id) {
    return RemoteCall.ofPool(PoolOperations.DEREGISTER, new PoolParts.ElementName(handle, id));
  }

  /** {@link io.rns.pool.PoolService#resolve}. */
  public static RemoteCall<PoolResolution> resolve(RnsPath handle, int items) {
    return RemoteCall.ofPool(PoolOperations.RESOLVE, new PoolResolveCodec.Item(handle, items));
  }

  /** {@link io.rns.pool.PoolService#unreachable}. */
  public static RemoteCall<Boolean> unreachable(RnsPath handle, int id) {
    return RemoteCall.ofPool(PoolOperations.UNREACHABLE, new PoolParts.ElementName(handle, id));
  }

  /** {@link io.rns.pool.PoolService#experienced}. */
  public static RemoteCall<Boolean> experienced(RnsPath handle, List<ElementExperience> experiences) {
    return RemoteCall.ofPool(PoolOperations.EXPERIENCE, new PoolExperienceCodec.Item(handle, experiences));
  }

  /** {@link io.rns.pool.PoolService#pools}. */
  public static RemoteCall<PoolPage> pools(PoolsRequest request) {
    return RemoteCall.ofPool(PoolOperations.LIST, request);
  }

  /** {@link io.rns.pool.PoolService#elements}. */
  public static RemoteCall<ElementPage> elements(ElementsRequest request) {
    return RemoteCall.ofPool(PoolOperations.ELEMENTS, request);
  }
}
