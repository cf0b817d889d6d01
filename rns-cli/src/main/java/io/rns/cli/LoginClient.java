package io.rns.cli;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The public client in whose name a user signs in.
 *
 * @param id as the provider knows it
 * @param scope that is asked for, words with a space between; empty for the provider's default
 * @param audience that tokens are asked for, words with a space between; empty for the provider's default
 */
record LoginClient(String id, String scope, String audience) {
  /** What every request for a token has, to be extended. */
  Map<String, String> form() {
    Map<String, String> form = new LinkedHashMap<>();
    form.put("client_id", id);
    if (!audience.isEmpty()) {
      form.put("audience", audience);
    }
    return form;
  }
}
