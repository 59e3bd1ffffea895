import { BINARY_OUTCOMES } from '../../../vocabulary/market.ts'
import { readId } from '../../text/fields.ts'
import type { JsonText } from '../../text/json-text.ts'
import { Quarantined } from '../quarantine.ts'

/** The market and outcome of a token. */
export type TokenOutcome = { readonly token_id: string; readonly source_market_id: string; readonly outcome: string }

/** Up to 78 digits: an unsigned 256-bit integer, kept as text. */
const TOKEN_ID = /^\d{1,78}$/
const OUTCOMES_MAX = 256

/** Tokens by market and outcome, as stated by references so far. */
export class TokenDirectory {
  readonly #tokens = new Map<string, TokenOutcome>()
  readonly #outcomes = new Map<string, readonly string[]>()

  /**
   * Takes the statement of a reference; items of both lists with one ordinal belong together. A market without tokens was never
   * in the order book.
   * @throws Quarantined FIELDS_DISAGREE lists of different length or a repeated token; CONFLICTING_VALUE another market's token
   */
  describe(source_market_id: string, outcomes: readonly string[], token_ids: readonly string[] | null): void {
    const tokens = (token_ids ?? []).map(checkTokenId)
    if (token_ids !== null && (tokens.length !== outcomes.length || new Set(tokens).size !== tokens.length)) {
      throw new Quarantined('FIELDS_DISAGREE')
    }
    const owners = tokens.map((token_id) => this.#tokens.get(token_id)?.source_market_id ?? source_market_id)
    if (owners.some((owner) => owner !== source_market_id)) throw new Quarantined('CONFLICTING_VALUE')
    this.#outcomes.set(source_market_id, outcomes)
    for (const [i, token_id] of tokens.entries()) {
      this.#tokens.set(token_id, { token_id, source_market_id, outcome: outcomes[i]! })
    }
  }

  /**
   * Returns the outcome of a token, which must belong to `market` if the record names one.
   * @throws Quarantined MISSING_FIELD, BAD_ID, UNKNOWN_OUTCOME, FIELDS_DISAGREE
   */
  find(token: JsonText | undefined, market: JsonText | undefined): TokenOutcome {
    if (token === undefined || token === null || token === '') throw new Quarantined('MISSING_FIELD')
    if (typeof token !== 'string') throw new Quarantined('BAD_ID')
    const found = this.#tokens.get(token)
    if (found === undefined) {
      checkTokenId(token)
      throw new Quarantined('UNKNOWN_OUTCOME')
    }
    const stated = market ?? ''
    if (stated !== '' && stated !== found.source_market_id) throw new Quarantined('FIELDS_DISAGREE')
    return found
  }

  /** Returns whether a reference has named the token. */
  knows(token_id: string): boolean {
    return this.#tokens.has(token_id)
  }

  /** Returns the outcome labels of a market; null: no reference has described it. */
  outcomesOf(source_market_id: string): readonly string[] | null {
    return this.#outcomes.get(source_market_id) ?? null
  }
}

/**
 * Returns the outcome labels of a market: YES and NO for the venue's Yes and No in any order; else exactly the venue's, as Up
 * and Down or two names of teams.
 * @throws Quarantined MISSING_FIELD, BAD_TEXT, BAD_ID
 */
export function outcomeLabels(labels: readonly string[] | null): readonly string[] {
  if (labels === null) throw new Quarantined('MISSING_FIELD')
  if (labels.length < 2 || labels.length > OUTCOMES_MAX) throw new Quarantined('BAD_TEXT')
  const upper = labels.map((label) => readId(label).toUpperCase())
  const known = isBinary(upper) ? upper : labels
  if (new Set(known).size !== known.length) throw new Quarantined('BAD_TEXT')
  return known
}

/** Returns whether labels are YES and NO in either order. */
export function isBinary(labels: readonly string[]): boolean {
  return labels.length === 2 && BINARY_OUTCOMES.every((label) => labels.includes(label))
}

function checkTokenId(token_id: string): string {
  if (!TOKEN_ID.test(token_id)) throw new Quarantined('BAD_ID')
  return token_id
}
