import { isDecimalString } from '../../primitives/decimal.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { fromScaled, pow10 } from '../../primitives/scaled.ts'
import type { OutcomePayout } from '../../trading/engine/settlement-commands.ts'

/** Outcome with the two names a person may use. */
type Outcome = { readonly outcome_id: string; readonly label: string }

/** Fraction digits in which equal shares must be exact. */
const SHARE_DIGITS = 6

/**
 * Parses payouts `OUTCOME=PAYOUT`, each outcome by id or label; others are paid 0. The engine checks that they are in [0, 1] and sum to 1.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: unknown or repeated outcome, or not a decimal
 */
export function readPayouts(written: readonly string[], outcomes: readonly Outcome[]): readonly OutcomePayout[] {
  const named = new Map<string, string>()
  for (const text of written) {
    const [name = '', payout = ''] = text.split('=')
    const outcome = outcomes.find(({ outcome_id, label }) => outcome_id === name || label === name)
    if (outcome === undefined) {
      const allowed = outcomes.map(({ outcome_id }) => outcome_id).join(', ')
      throw wrong(text, `OUTCOME=PAYOUT with an outcome of ${allowed}`)
    }
    if (!isDecimalString(payout)) throw wrong(text, `${outcome.outcome_id}=PAYOUT with a decimal from 0 to 1`)
    if (named.has(outcome.outcome_id)) throw wrong(text, 'each outcome once')
    named.set(outcome.outcome_id, payout)
  }
  return outcomes.map(({ outcome_id }) => ({ outcome_id, payout: named.get(outcome_id) ?? '0' }))
}

/**
 * Returns equal payouts for all outcomes.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: the shares are not exact
 */
export function equalPayouts(outcomes: readonly Outcome[]): readonly OutcomePayout[] {
  const [whole, count] = [pow10(SHARE_DIGITS), BigInt(outcomes.length)]
  if (whole % count !== 0n) {
    const message = `payout is missing; allowed: OUTCOME=PAYOUT for each, since equal shares of ${outcomes.length} outcomes are not exact`
    throw new ServiceError('VALIDATION_USAGE_INVALID', message, { field: 'payout' })
  }
  return outcomes.map(({ outcome_id }) => ({ outcome_id, payout: fromScaled(whole / count, SHARE_DIGITS) }))
}

function wrong(text: string, allowed: string): ServiceError {
  const message = `payout is ${JSON.stringify(text)}; allowed: ${allowed}`
  return new ServiceError('VALIDATION_USAGE_INVALID', message, { field: 'payout', value: text })
}
