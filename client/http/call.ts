/** Options of one call. */
export type Call = {
  /** Ends the call, also while it waits for a retry. */
  readonly signal?: AbortSignal
  /** Bound of one attempt. */
  readonly timeout_ms?: number
}

/** Returns the signal that ends as soon as one of those given does. */
export function eitherSignal(...signals: readonly (AbortSignal | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((signal) => signal !== undefined)
  return given.length > 1 ? AbortSignal.any([...given]) : given[0]
}
