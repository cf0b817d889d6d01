package io.rns.server.soap;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.ModelNameService;
import io.rns.api.Position;
import io.rns.api.RnsPath;
import io.rns.referral.Announcement;
import io.rns.referral.Referral;
import io.rns.referral.ServerRole;
import io.rns.referral.Site;
import io.rns.server.overload.OverloadSettings;
import io.rns.server.overload.RequestAdmission;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Who asks is told the servers of the group, whatever the answer is; nobody else is. */
class ServersHeaderTest {
  private static final String NEAR_SOAP = "http://near/rns/services/rns";
  private static final String FAR_SOAP = "http://far/rns/services/rns";
  private static final Announcement NEAR = server("http://near/rns", "eu/essen");
  private static final Announcement FAR = server("http://far/rns", "us");
  private final SoapEndpoint endpoint =
      new SoapEndpoint(new SoapEndpoint.Parts(
          new ModelNameService(),
          null,
          SoapSettings.DEFAULT,
          Waits.NEVER,
          new RequestAdmission(OverloadSettings.OFF, System::nanoTime),
          () -> List.of(new Referral(RnsPath.ROOT, 3, 30_000, List.of(FAR, NEAR))), () -> SoapEndpoint.NOBODY, null,
          new WrittenPages(0)));

  private static Announcement server(String url, String site) {
    return new Announcement(
        url, "s", ServerRole.REPLICA, new Site(site), 100, 0, 0, Optional.of(new Position(0, 3, 7)));
  }

  @ParameterizedTest
  @EnumSource(Conversation.Entrance.class)
  void areToldWithAnswersAndFaultsToWhoAsks(Conversation.Entrance entrance) {
    Conversation conversation = new Conversation(endpoint, entrance);
    for (String body : List.of("<r:query/>", "<r:list/>", "<n:LookupRequest/>", "<r:remove/>",
        "<r:query><r:nonsense/></r:query>")) {
      String told = conversation.ask("<x:Servers/><x:Site>eu</x:Site>", body);
      assertThat(told).as(body).contains("epoch=\"3\"", "url=\"http://near/rns\"", "site=\"us\"", "position=\"0-3-7\"");
      assertThat(conversation.ask("<x:Extensions/>", body)).as(body).doesNotContain("http://near");
      assertThat(conversation.ask("", body)).as(body).doesNotContain("http://near");
    }
  }

  @ParameterizedTest
  @EnumSource(Conversation.Entrance.class)
  void resolversAnswerTheReferenceAtTheNearestServerWhichNamesResolversAtTheOthers(Conversation.Entrance entrance) {
    Conversation conversation = new Conversation(endpoint, entrance);
    String directory = conversation.ask("", "<n:AddRequest><n:entry entry-name='d'/></n:AddRequest>");
    String epi = text(directory, "EndpointIdentifier");
    assertThat(resolvers(directory))
        .as("in both namespaces")
        .containsExactly(
            Entrances.URL, FAR_SOAP, NEAR_SOAP, Entrances.URL, FAR_SOAP, NEAR_SOAP);
    String body = "<w:EndpointIdentifier xmlns:w='http://schemas.ogf.org/naming/2006/08/naming'>" + epi
        + "</w:EndpointIdentifier>";
    for (String site : List.of("eu/essen", "eu", "us")) {
      String renewed = conversation.ask("<x:Site>" + site + "</x:Site>", body);
      String best = site.equals("us") ? FAR_SOAP : NEAR_SOAP;
      assertThat(text(renewed, "Address")).as(site).isEqualTo(best);
      assertThat(text(renewed, "EndpointIdentifier")).isEqualTo(epi);
      assertThat(resolvers(renewed)).as("the one who answers is not told of itself").startsWith(best)
          .doesNotContain(Entrances.URL);
    }
    assertThat(text(conversation.ask("", body), "Address")).isIn(NEAR_SOAP, FAR_SOAP);
  }

  @ParameterizedTest
  @EnumSource(Conversation.Entrance.class)
  void anAddressThatIsForAllStaysThat(Conversation.Entrance entrance) {
    SoapSettings settings = SoapSettings.DEFAULT;
    SoapSettings open =
        new SoapSettings(Optional.of("http://all/soap"), settings.bodyTimeout(), settings.largeRequests(),
            settings.clock());
    RequestAdmission admission = new RequestAdmission(OverloadSettings.OFF, System::nanoTime);
    SoapEndpoint behindProxy =
        new SoapEndpoint(new SoapEndpoint.Parts(
            new ModelNameService(),
            null,
            open,
            Waits.NEVER,
            admission,
            () -> List.of(new Referral(RnsPath.ROOT, 3, 30_000, List.of(FAR, NEAR))), () -> SoapEndpoint.NOBODY, null,
            new WrittenPages(0)));
    Conversation conversation = new Conversation(behindProxy, entrance);
    String directory = conversation.ask("", "<n:AddRequest><n:entry entry-name='d'/></n:AddRequest>");
    assertThat(resolvers(directory)).containsOnly("http://all/soap");
    String epi = text(directory, "EndpointIdentifier");
    String body = "<w:EndpointIdentifier xmlns:w='http://schemas.ogf.org/naming/2006/08/naming'>" + epi
        + "</w:EndpointIdentifier>";
    assertThat(text(conversation.ask("<x:Site>us</x:Site>", body), "Address")).isEqualTo("http://all/soap");
  }

  private static String text(String xml, String element) {
    Matcher found = Pattern.compile("<[a-z_]*:" + element + "(?: [^>]*)?>([^<]*)<").matcher(xml);
    assertThat(found.find()).as(xml).isTrue();
    return found.group(1);
  }

  private static List<String> resolvers(String xml) {
    return Pattern.compile("EndpointIdentifierResolver[^>]*><[^>]*Address[^>]*>([^<]*)<").matcher(xml).results()
        .map(result -> result.group(1)).toList();
  }

  @ParameterizedTest
  @EnumSource(Conversation.Entrance.class)
  void aSiteThatIsNoneIsRefused(Conversation.Entrance entrance) {
    assertThat(new Conversation(endpoint, entrance).ask("<x:Site>a b</x:Site>", "<r:query/>"))
        .contains("INVALID_REQUEST", "a site has");
  }
}
