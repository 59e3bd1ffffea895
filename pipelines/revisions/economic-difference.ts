/** Facts by which two records of one chain are compared: equal facts at one instant are a repeated record. */
export type Facts = {
  /** Kind of statement, such as `open` or `final`. */
  readonly kind: string
  /** Its values in one canonical text. */
  readonly content: string
}

/**
 * Returns whether a record differs economically from the one before it: in its kind or in one of its values. Only such a record is
 * a revision; any other confirms the one before. Instants of receipt, sequence numbers and confirmations are no values.
 */
export function isEconomicDifference(previous: Facts, next: Facts): boolean {
  return previous.kind !== next.kind || previous.content !== next.content
}

/** Returns whether `next` states every value of `previous`, and one that `previous` leaves out: an empty text is no statement. */
export function statesMore(previous: readonly string[], next: readonly string[]): boolean {
  const agrees = previous.every((value, n) => value === '' || value === next[n])
  return agrees && next.some((value, n) => value !== '' && (previous[n] ?? '') === '')
}

/** correction_reason of stored rows of earlier releases that stated nothing new. */
const CONFIRMED = 'CONFIRMED'

/** Returns whether a stored row only confirms the one before it. */
export function isConfirmation(row: { readonly correction_reason?: unknown; readonly confirms_id?: unknown }): boolean {
  return row.correction_reason === CONFIRMED || (row.confirms_id ?? null) !== null
}
