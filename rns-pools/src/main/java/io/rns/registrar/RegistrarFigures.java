package io.rns.registrar;

/**
 * A registrar in numbers; those that count, since it began.
 *
 * @param pools how many pools it knows
 * @param elements how many elements all of them have
 * @param registrars how many registrars it knows that have not been taken over, itself included
 * @param selections resolutions that were answered with elements
 * @param rejections resolutions and registrations that were refused
 * @param reports of users that could not reach an element and told this registrar; those passed on by others do not
 *        count
 * @param losses elements that went without a word, of those that this registrar watched over
 * @param takeovers how many dead registrars this one has taken over from
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
