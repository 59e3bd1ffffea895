import type { ExecutableBand, IndexPreview, LevelRobustness } from '../../protocol/resources/robustness.ts'
import type { PayoutRule, TradeReason, VoidReason } from '../../vocabulary/robustness.ts'
import { compareDecimals, groupDigits, groupSigned, signOf, trimZeros } from '../data/decimal-text.ts'

/** Plain words of the reasons for a missing value. */
const REASONS: Readonly<Record<TradeReason | VoidReason | 'NO_LEVEL', string>> = {
  NO_LEVEL: 'the index has no level of its own at this tick',
  DEPTH_NOT_STORED: 'no order book of a constituent is stored',
  DEPTH_NOT_OF_TICK: 'the stored order book is not the one behind the level',
  DEPTH_CROSSED: 'the order book is crossed',
  DEPTH_INSUFFICIENT: 'the order books hold less than that',
  MARK_NOT_FROM_BOOK: 'a value does not come from an order book',
  PRICE_UNIT_NOT_PROBABILITY: 'the venue states its prices as odds',
  SEVERAL_LEGS: 'a value is made of several markets',
  LEVEL_ZERO: 'the level is 0',
  PAYOUTS_NOT_EXACT: 'equal shares are not exact',
  MARK_NOT_STATED: 'the record does not state the mark that would be kept',
  NO_FRESH_INPUT: 'no fresh input would be left',
}

/** Returns a reason as words with its code. */
export function reasonWords(reason: string | null): string | null {
  if (reason === null) return null
  const words = (REASONS as Readonly<Record<string, string>>)[reason]
  return words === undefined ? reason : `${words} (${reason})`
}

/** Result of a trade: a value, or the reason why there is none. */
export type ValueOrReason = { readonly value: string | null; readonly reason: string | null }

/** Returns the bounds of a cost: "12.5", "at least 3, 12.5 suffices", or the reason. */
export function costText(cost: {
  readonly notional_at_least: string | null
  readonly notional_sufficient: string | null
  readonly reason: string | null
}): ValueOrReason {
  const { notional_at_least: least, notional_sufficient: enough } = cost
  const [from, to] = [least, enough].map((text) => (text === null ? null : groupDigits(trimZeros(text))))
  const value =
    from !== null && to !== null ? (from === to ? from! : `${from} to ${to}`) : to === null ? null : `at most ${to}`
  return { value: value ?? (from === null ? null : `at least ${from}`), reason: reasonWords(cost.reason) }
}

type MissingInput = NonNullable<LevelRobustness['missing_input']>['inputs'][number]

/** Returns inputs by the size of the move that their absence makes, largest first; those without a level before all others. */
export function byMove(inputs: readonly MissingInput[]): readonly MissingInput[] {
  const size = ({ move }: MissingInput) => move?.replace('-', '') ?? null
  return inputs.toSorted((a, b) => {
    const [left, right] = [size(a), size(b)]
    if (left === null || right === null) return Number(left !== null) - Number(right !== null)
    return compareDecimals(right, left) || (a.constituent_id < b.constituent_id ? -1 : 1)
  })
}

/** Returns a side of a band, or the reason why it has no level. */
export function sideText(side: ExecutableBand['bid']): ValueOrReason {
  if (side === null) return { value: null, reason: reasonWords('NO_LEVEL') }
  return { value: side.level === null ? null : groupDigits(side.level), reason: reasonWords(side.reason) }
}

/** One case of a resolution, for one index. */
export type PreviewCase = {
  readonly key: string
  readonly name: string
  readonly level: string | null
  readonly move: string | null
  readonly reason: string | null
  readonly constituents: IndexPreview['outcomes'][number]['constituents']
}

const VOID_NAMES: Readonly<Record<Exclude<PayoutRule, 'winner'>, string>> = {
  equal_shares: 'Void, each outcome is paid the same',
  none: 'Void, nothing is paid: frozen marks',
}

/** Returns the cases of a preview: each outcome that could win, then a void market. */
export function previewCases(preview: IndexPreview): readonly PreviewCase[] {
  const no_level = preview.reason
  const outcomes = preview.outcomes.map(({ outcome_id, label, ...rest }) => ({
    key: outcome_id,
    name: `${label ?? outcome_id} wins`,
    ...rest,
    reason: reasonWords(rest.level === null ? no_level : null),
  }))
  const voided = preview.voided.map(({ payout_rule, payout, ...rest }) => ({
    key: payout_rule,
    name: `${VOID_NAMES[payout_rule]}${payout === null ? '' : `: ${trimZeros(payout)}`}`,
    ...rest,
    reason: reasonWords(rest.reason ?? (rest.level === null ? no_level : null)),
  }))
  return [...outcomes, ...voided]
}

/** Returns a move with its sign; 0 has none. */
export function moveText(move: string | null): string | null {
  if (move === null) return null
  return signOf(move) === 0 ? groupDigits(move) : groupSigned(move)
}
