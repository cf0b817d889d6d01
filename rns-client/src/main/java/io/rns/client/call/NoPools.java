package io.rns.client.call;

import io.rns.api.RnsPath;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.pool.ElementPage;
import io.rns.pool.ElementsRequest;
import io.rns.pool.ElementExperience;
import io.rns.pool.PolicyType;
import io.rns.pool.PoolPage;
import io.rns.pool.PoolResolution;
import io.rns.pool.PoolService;
import io.rns.pool.PoolsRequest;
import io.rns.pool.Registered;
import io.rns.pool.Registration;
import java.util.List;

/**
 * The pools of a server that has none: every call is refused with {@link RnsError#UNKNOWN_OPERATION}.
 *
 * @param why what the refusal says
 */
public record NoPools(String why) implements PoolService {
  private RnsException refusal() {
    return new RnsException(RnsError.UNKNOWN_OPERATION, why);
  }

  @Override
  public Registered register(RnsPath handle, PolicyType policy, Registration registration) {
    throw refusal();
  }

  @Override
  public boolean deregister(RnsPath handle, int id) {
    throw refusal();
  }

  @Override
  public PoolResolution resolve(RnsPath handle, int items) {
    throw refusal();
  }

  @Override
  public void unreachable(RnsPath handle, int id) {
    throw refusal();
  }

  @Override
  public void experienced(RnsPath handle, List<ElementExperience> experiences) {
    throw refusal();
  }

  @Override
  public PoolPage pools(PoolsRequest request) {
    throw refusal();
  }

  @Override
  public ElementPage elements(ElementsRequest request) {
    throw refusal();
  }
}
