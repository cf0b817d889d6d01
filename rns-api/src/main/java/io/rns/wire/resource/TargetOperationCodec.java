package io.rns.wire.resource;

import io.rns.api.Answer;
import io.rns.api.Entry;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.Outcome;
import io.rns.api.Refusal;
import io.rns.api.Target;
import io.rns.wire.Preconditions;
import io.rns.wire.RequestFrame;
import io.rns.wire.ResourceTarget;
import io.rns.xml.XmlPull;
import java.util.List;
import java.util.function.Function;

/**
 * An operation with an empty request element: the target of the message is the whole request.
 *
 * @param <O> the result of a success
 */
interface TargetOperationCodec<O> extends ResourceOperationCodec<ResourceTarget, O> {
  @Override
  default Target target(ResourceTarget item) {
    return item.directory();
  }

  @Override
  default ResourceTarget readRequest(XmlPull pull, RequestFrame frame) {
    Preconditions.none(frame, element());
    pull.skip();
    return frame.resource();
  }

  /** Maps the only entry of an answer, which has to be a directory. */
  static <O> Answer<Outcome<O>> ofDirectory(
      Answer<List<Outcome<Entry>>> answer, Target target, Function<VirtualDirectory, O> result) {
    return answer.map(outcomes -> ofDirectory(outcomes.get(0), target, result));
  }

  private static <O> Outcome<O> ofDirectory(
      Outcome<Entry> found, Target target, Function<VirtualDirectory, O> result) {
    if (found instanceof Outcome.Done<Entry> done && !(done.value() instanceof VirtualDirectory)) {
      return Outcome.refused(new Refusal.NotDirectory(target, target.path().depth()));
    }
    return found.map(entry -> result.apply((VirtualDirectory) entry));
  }
}
