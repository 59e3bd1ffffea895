import type { Gate } from '../http/gate.ts'
import { sleep } from '../platform.ts'
import { TidemarkError } from '../tidemark-error.ts'
import { isRateRefusal, isTimedRefusal, type RetryRule, retryWait } from './retry-rule.ts'

/** Rule of the repeats of a request, and the turns of those that were refused for rate. */
type Repeats = { readonly retry: RetryRule; readonly signal: AbortSignal | undefined; readonly lane: Gate }
type Failure = { readonly error: TidemarkError; readonly at_ms: number; readonly wait_ms: number }

/**
 * Repeats attempts until one is answered. Requests that were refused for rate take turns: each is repeated until it is admitted.
 * @throws the error of the last attempt, if the rule allows no other one; the signal's reason
 */
export async function repeated<T>(
  attemptOnce: () => Promise<T | TidemarkError>,
  { retry, signal, lane }: Repeats,
): Promise<T> {
  const begun_ms = performance.now()
  let failed = 0
  let refusals = 0
  /** Measures an outcome against the rule; an answer passes. @throws the error, if it is final */
  const judged = (outcome: T | TidemarkError): T | Failure => {
    if (!(outcome instanceof TidemarkError)) return outcome
    const at_ms = performance.now()
    refusals += 1
    if (!isTimedRefusal(outcome)) failed += 1
    const wait_ms = retryWait(retry, outcome, failed, refusals, at_ms - begun_ms, Math.random())
    if (wait_ms === null) throw outcome
    return { error: outcome, at_ms, wait_ms }
  }
  /** Waits, less the time in the queue of the lane, and tries again. */
  const again = async ({ error, at_ms, wait_ms }: Failure) => {
    if (performance.now() - begun_ms > retry.within_ms) throw error
    await sleep(Math.max(0, at_ms + wait_ms - performance.now()), signal)
    return judged(await attemptOnce())
  }
  const admitted = async (failure: Failure) => {
    let outcome: T | Failure = failure
    while (isFailure(outcome) && isRateRefusal(outcome.error)) outcome = await again(outcome)
    return outcome
  }
  let outcome = judged(await attemptOnce())
  while (isFailure(outcome)) {
    const failure: Failure = outcome
    outcome = await (isRateRefusal(failure.error) ? lane(() => admitted(failure), signal) : again(failure))
  }
  return outcome
}

function isFailure(outcome: unknown): outcome is Failure {
  return typeof outcome === 'object' && outcome !== null && (outcome as Failure).error instanceof TidemarkError
}
