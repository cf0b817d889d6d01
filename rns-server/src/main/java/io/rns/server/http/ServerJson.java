package io.rns.server.http;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonIncludeProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.util.StdConverter;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import io.rns.api.EndpointReference;
import io.rns.api.EntryId;
import io.rns.api.Position;
import io.rns.api.RnsPath;
import io.rns.pool.ElementPage;
import io.rns.pool.Occupancy;
import io.rns.pool.Parameters;
import io.rns.pool.PolicyType;
import io.rns.pool.PoolPage;
import io.rns.pool.PoolResolution;
import io.rns.pool.Registered;
import io.rns.pool.SelectionState;
import io.rns.pool.SharedExperience;
import io.rns.referral.Announcement;
import io.rns.referral.ServerRole;
import io.rns.referral.Site;
import io.rns.replication.DatabaseReport;
import io.rns.replication.partition.Decision;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The JSON of the server: records are its documents, those of the API too. {@link JsonBody} reads the bodies of
 * clients, which it checks.
 *
 * <p> The interfaces below say where a document differs from the record of the API; clients depend on names and order.
 */
public final class ServerJson {
  /**
   * Reads what other servers of the group write, including members of later versions. A document in parts is one write
   * to the container, as long as it is small; one that breaks off is not made to look whole.
   */
  public static final JsonMapper MAPPER =
      JsonMapper.builder(JsonFactory.builder().disable(StreamWriteFeature.AUTO_CLOSE_CONTENT).build())
          .disable(SerializationFeature.FLUSH_AFTER_WRITE_VALUE)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
          .addModule(new Jdk8Module())
          .addMixIn(RnsPath.class, PathText.class)
          .addMixIn(EntryId.class, IdText.class)
          .addMixIn(Instant.class, InstantText.class)
          .addMixIn(PolicyType.class, AsText.class)
          .addMixIn(Position.class, PositionText.class)
          .addMixIn(Site.class, SiteText.class)
          .addMixIn(ServerRole.class, LowerCase.class)
          .addMixIn(Decision.Rule.class, LowerCase.class)
          .addMixIn(ElementPage.Loss.class, LowerCase.class)
          .addMixIn(EndpointReference.class, ReferenceText.class)
          .addMixIn(Announcement.class, OfAnnouncement.class)
          .addMixIn(DatabaseReport.class, OfDatabaseReport.class)
          .addMixIn(Registered.class, UnsignedIds.class)
          .addMixIn(PoolPage.class, OfPoolPage.class)
          .addMixIn(PoolResolution.class, OfResolution.class)
          .addMixIn(PoolResolution.Selected.class, OfSelected.class)
          .addMixIn(SelectionState.class, OfSelectionState.class)
          .addMixIn(ElementPage.class, OfElementPage.class)
          .addMixIn(ElementPage.ListedElement.class, OfListedElement.class)
          .addMixIn(ElementPage.LostElement.class, UnsignedIds.class)
          .addMixIn(Parameters.class, OfParameters.class)
          .addMixIn(Occupancy.class, OfOccupancy.class)
          .build();

  private ServerJson() {}

  interface AsText {
    @Override
    @JsonValue
    String toString();
  }

  private abstract static class PositionText implements AsText {
    @JsonCreator
    static Position parse(String text) {
      return Position.parse(text);
    }
  }

  private abstract static class InstantText implements AsText {
    @JsonCreator
    static Instant parse(CharSequence text) {
      return Instant.parse(text);
    }
  }

  private abstract static class PathText implements AsText {
    @JsonCreator
    static RnsPath parse(String text) {
      return RnsPath.parse(text);
    }
  }

  private abstract static class IdText implements AsText {
    @JsonCreator
    static EntryId parse(String text) {
      return EntryId.parse(text);
    }
  }

  abstract static class SiteText implements AsText {
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    SiteText(String text) {}
  }

  @JsonSerialize(converter = LowerCaseName.class)
  private interface LowerCase {}

  private static final class LowerCaseName extends StdConverter<Enum<?>, String> {
    @Override
    public String convert(Enum<?> value) {
      return value.name().toLowerCase(Locale.ROOT);
    }
  }

  /** A reference that is only an address is that address, any other one its XML. */
  @JsonSerialize(converter = AddressOrXml.class)
  interface ReferenceText {}

  private static final class AddressOrXml extends StdConverter<EndpointReference, String> {
    @Override
    public String convert(EndpointReference value) {
      boolean plain = value.isAddressOnly();
      return plain ? value.address() : value.xml();
    }
  }

  @JsonPropertyOrder({"url", "name", "role", "living"})
  interface OfAnnouncement {
    @JsonProperty
    boolean living();
  }

  interface OfDatabaseReport {
    @JsonInclude(Include.NON_EMPTY)
    OptionalInt acknowledging();
  }

  interface UnsignedIds {
    @JsonSerialize(converter = Unsigned.class)
    int id();

    @JsonSerialize(converter = Unsigned.class)
    int home();
  }

  private static final class Unsigned extends StdConverter<Integer, Long> {
    @Override
    public Long convert(Integer value) {
      return Integer.toUnsignedLong(value);
    }
  }

  interface OfPoolPage {
    @JsonInclude(Include.NON_EMPTY)
    Optional<RnsPath> next();
  }

  @JsonPropertyOrder({"handle", "policy", "ttlMillis", "elements"})
  interface OfResolution {}

  interface OfSelected extends UnsignedIds {
    @JsonUnwrapped
    SelectionState standing();

    @JsonIgnore
    SharedExperience shared();
  }

  @JsonIncludeProperties("parameters")
  interface OfSelectionState {}

  interface OfElementPage {
    @JsonInclude(Include.NON_EMPTY)
    @JsonSerialize(converter = UnsignedIfPresent.class)
    OptionalInt next();
  }

  private static final class UnsignedIfPresent extends StdConverter<OptionalInt, @Nullable Long> {
    @Override
    public @Nullable Long convert(OptionalInt value) {
      return value.isPresent() ? Integer.toUnsignedLong(value.getAsInt()) : null;
    }
  }

  interface OfListedElement extends UnsignedIds {
    @JsonInclude(Include.NON_EMPTY)
    OptionalLong silentMillis();

    @JsonInclude(Include.NON_EMPTY)
    OptionalLong keepAliveMillis();
  }

  /** Only what differs from {@link Parameters#PLAIN}. */
  @JsonInclude(Include.NON_DEFAULT)
  interface OfParameters {
    @JsonInclude(value = Include.CUSTOM, valueFilter = PlainWeight.class)
    long weight();

    @JsonUnwrapped
    Occupancy occupancy();
  }

  @JsonInclude(Include.NON_DEFAULT)
  interface OfOccupancy {}

  /** Equal to the weight that is left out. */
  private static final class PlainWeight {
    @Override
    public boolean equals(@Nullable Object weight) {
      return weight instanceof Long value && value == Parameters.PLAIN.weight();
    }

    @Override
    public int hashCode() {
      return Long.hashCode(Parameters.PLAIN.weight());
    }
  }
}
