package io.rns.registrar;

/**
 * Sizes and counters of a registrar; counters start with the registrar.
 *
 * @param pools known pools
 * @param elements elements in all pools
 * @param registrars known registrars that have not been taken over, including this one
 * @param selections resolutions answered with elements
 * @param rejections rejected resolutions and registrations
 * @param reports unreachable elements reported by users to this registrar; reports forwarded by peers do not count
 * @param losses elements with their home here that were lost without deregistration
 * @param takeovers failed registrars that this one took over
 */
public record RegistrarFigures(
    int pools,
    int elements,
    int registrars,
    long selections,
    long rejections,
    long reports,
    long losses,
    long takeovers) {}
