package io.rns.wire.pool;

import io.rns.api.EndpointReference;
import io.rns.api.RnsPath;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.pool.Parameters;
import io.rns.pool.PolicyType;
import io.rns.pool.PoolService;
import io.rns.pool.Registered;
import io.rns.pool.Registration;
import io.rns.wire.Markup;
import io.rns.wire.Namespaces;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code x:poolRegister}: registers an element, or renews its registration. */
public final class PoolRegisterCodec implements PoolOperationCodec<PoolRegisterCodec.Item, Registered> {
  /**
   * The content of a request.
   *
   * @param handle the path of the pool
   * @param policy the policy of the pool
   * @param registration the registration of the element
   */
  public record Item(RnsPath handle, PolicyType policy, Registration registration) {}

  @Override
  public String element() {
    return "poolRegister";
  }

  @Override
  public Registered call(PoolService pools, Item item) {
    return pools.register(item.handle(), item.policy(), item.registration());
  }

  @Override
  public void writeRequest(XmlBuffer out, Item item) {
    Registration registration = item.registration();
    PoolParts.open(out, element()).attribute("handle", item.handle().toString()).attribute("policy",
        item.policy().toString());
    out.attribute("element", Integer.toUnsignedString(registration.id()));
    out.attribute("lifetime-millis", registration.lifetimeMillis()).raw(">");
    PoolParts.writeEndpoints(out, registration.endpoints());
    PoolParts.writeParameters(out, registration.parameters());
    registration.control().ifPresent(control -> control.writeTo(out, "_x:control"));
    PoolParts.close(out, element());
  }

  @Override
  public Item readRequest(XmlPull pull) {
    RnsPath handle = PoolParts.handle(pull, "handle");
    PolicyType policy = PoolParts.policy(pull);
    int id = PoolParts.id(pull, "element");
    long lifetime = Markup.number("attribute 'lifetime-millis'", Markup.required(pull, "lifetime-millis"));
    List<EndpointReference> endpoints = PoolParts.endpoints();
    @Nullable
    Parameters parameters = null;
    @Nullable
    EndpointReference control = null;
    while (pull.nextChild()) {
      if (PoolParts.isEndpoint(pull)) {
        PoolParts.readEndpoint(pull, endpoints);
      } else if (PoolParts.isParameters(pull)) {
        Markup.once(parameters, "parameters");
        parameters = PoolParts.readParameters(pull);
      } else if (pull.is(Namespaces.EXT, "control")) {
        Markup.once(control, "control");
        control = EndpointReference.read(pull);
      } else {
        PoolParts.passOver(pull);
      }
    }
    Parameters said = parameters == null ? Parameters.PLAIN : parameters;
    return new Item(handle, policy, new Registration(id, endpoints, said, lifetime, Optional.ofNullable(control)));
  }

  @Override
  public void writeResponse(XmlBuffer out, Registered result) {
    PoolParts.open(out, responseElement()).attribute("home", Integer.toUnsignedString(result.home()));
    out.attribute("version", result.version()).raw("/>");
  }

  @Override
  public Registered readResponse(XmlPull pull) {
    int home = PoolParts.unsigned32("home", Markup.required(pull, "home"));
    long version = Markup.number("attribute 'version'", Markup.required(pull, "version"));
    if (version < 0) {
      throw new RnsException(RnsError.INVALID_REQUEST, "attribute 'version' is " + version);
    }
    pull.skip();
    return new Registered(home, version);
  }
}
