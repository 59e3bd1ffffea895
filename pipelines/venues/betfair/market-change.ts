import type { Micros } from '../../../primitives/instants.ts'
import { type JsonText, type JsonTextObject, listOf, objectOf } from '../../text/json-text.ts'
import type { IgnoreRule } from '../outcomes.ts'
import { Quarantined } from '../quarantine.ts'
import { type PayloadRecords, readPart } from '../read-payload.ts'
import type { Origin, VenuePayload } from '../record.ts'
import { applyLadderChange, hasLadder, readLadderChange } from './ladder-change.ts'
import { emptyLadders, forgetLadders, LADDER_KINDS, type LadderKind, type Runner } from './ladders.ts'
import { isRemoved, type MarketDefinition, readMarketDefinition } from './market-definition.ts'
import { forgetBooks, type Market, mergeTexts, runnerOf } from './market-memory.ts'
import { marketReference } from './market-reference.ts'
import { readSettlement } from './market-settlement.ts'
import { orLost } from './or-lost.ts'
import { runnerLabel } from './runner-label.ts'
import { applyTraded, lastPriceQuote, type Moment, readTraded } from './traded-volume.ts'

/** A message of the stream and the time the venue published it. */
export type StreamMessage = { readonly payload: VenuePayload; readonly pt: Micros; readonly out: PayloadRecords }

/** One market's part of a message, and where in it the part is. */
type MarketPart = { readonly market: Market; readonly is_image: boolean; readonly message: StreamMessage }

/** A runner's change that was applied: what may still be read of it, and the rule for it. */
type RunnerPart = { readonly runner: Runner; readonly change: JsonTextObject; readonly rule: IgnoreRule }

/**
 * Applies one market's part of a message: an image replaces its books, then comes the definition, then the runners' changes.
 * Unreadable parts are quarantined by themselves; a book with a lost change is unknown until the next image.
 * @returns the rule for a message that gives no record of its own
 * @throws Quarantined UNKNOWN_SHAPE if the changed runners are unknown; then no book of the market is known
 */
export function applyMarketChange(
  market: Market,
  change: JsonTextObject,
  origin: Origin,
  message: StreamMessage,
): IgnoreRule {
  const { out } = message
  const is_image = change.img === true
  const kind_before = market.ladder_kind
  if (is_image) imageBegins(market)
  if (change.marketDefinition !== undefined && change.marketDefinition !== null) {
    const part = { ...origin, path: `${origin.path}.marketDefinition` }
    market.terms = null
    readPart(out, part, () => applyDefinition(market, change.marketDefinition!, part, message))
  }
  const changes = orLost(
    () => listOf(change.rc),
    () => forgetBooks(market),
  )
  const part = { market, is_image, message }
  const applied = changes.map((item, n) => {
    const of_runner = { ...origin, path: `${origin.path}.rc[${n}]` }
    const result = readPart(out, of_runner, () => applyRunnerChange(part, item, of_runner))
    return 'record' in result ? { ...result.record, origin: of_runner } : null
  })
  market.ladder_kind ??= kind_before
  const rules = applied.filter((one) => one !== null)
  // Only now is it known whether the stream has ladders.
  if (market.ladder_kind === null && market.terms?.is_odds === true)
    for (const one of rules) readLastPrice(part, one, one.origin)
  if (is_image && market.ladder_kind !== null) return 'WITHIN_MINUTE'
  const first = FIRST_COUNTS.find((rule) => rules.some((one) => one.rule === rule))
  return first ?? (change.tv === undefined ? 'NOTHING_STATED' : 'TRADED_TOTAL')
}

/** Rules of the changes of a market's runners; of all of them the first in this order is the message's. */
const FIRST_COUNTS: readonly IgnoreRule[] = [
  'WITHIN_MINUTE',
  'LAST_PRICE',
  'TRADED_TOTAL',
  'STARTING_PRICE',
  'CUT_LADDER',
]

function imageBegins(market: Market): void {
  market.is_imaged = true
  market.ladder_kind = null
  for (const runner of market.runners.values()) emptyLadders(runner)
}

function applyDefinition(market: Market, value: JsonText, origin: Origin, message: StreamMessage): void {
  const { payload, pt, out } = message
  const definition = readMarketDefinition(value, payload.received_at)
  const { terms, texts, runners } = definition
  market.terms = terms
  market.texts = mergeTexts(market.texts, texts)
  market.closes_at = terms.closes_at
  for (const stated of runners) applyRunner(runnerOf(market, stated.label), stated)
  out.resolutions.push(...readSettlement(market, definition, payload, origin, pt))
  out.references.push(marketReference(market, origin, pt, payload.received_at))
}

function applyRunner(runner: Runner, stated: MarketDefinition['runners'][number]): void {
  runner.name = stated.name ?? runner.name
  runner.is_removed = isRemoved(stated)
}

/** Applies one runner's change: traded totals, then ladders. */
function applyRunnerChange(part: MarketPart, item: JsonText, origin: Origin): RunnerPart {
  const { market } = part
  const change = orLost(
    () => objectOf(item),
    () => forgetBooks(market),
  )
  const label = orLost(
    () => runnerLabel(change, 'id', 'hc'),
    () => forgetBooks(market),
  )
  const runner = market.runners.get(label)
  if (runner === undefined) throw new Quarantined('UNKNOWN_OUTCOME')
  const totals = orLost(
    () => readTraded(change),
    () => runner.traded.clear(),
  )
  const trades = applyTraded(runner, totals, market.is_imaged && !part.is_image, momentOf(part, origin))
  if (market.terms?.is_odds === true) part.message.out.trades.push(...trades)
  const kinds = LADDER_KINDS.filter((kind) => hasLadder(change, kind))
  for (const kind of kinds) applyLadder(market, runner, change, kind)
  return { runner, change, rule: kinds.includes(market.ladder_kind!) ? 'WITHIN_MINUTE' : ruleOf(change) }
}

/** Applies the ladder of one kind. From a more telling kind on, books are made of that one. */
function applyLadder(market: Market, runner: Runner, change: JsonTextObject, kind: LadderKind): void {
  if (runner.levels[kind] === null) throw new Quarantined('NO_BASE_BOOK')
  const levels = orLost(
    () => readLadderChange(change, kind),
    () => forgetLadders(runner),
  )
  applyLadderChange(runner, kind, levels)
  const shown = market.ladder_kind
  if (shown === null || LADDER_KINDS.indexOf(kind) < LADDER_KINDS.indexOf(shown)) market.ladder_kind = kind
}

/** Records a runner's last traded price, if its change states one. */
function readLastPrice(part: MarketPart, { runner, change }: RunnerPart, origin: Origin): void {
  const { ltp } = change
  if (ltp === undefined || ltp === null) return
  const { out } = part.message
  readPart(out, origin, () => out.quotes.push(lastPriceQuote(runner, ltp, part.is_image, momentOf(part, origin))))
}

function momentOf({ market, message: { payload, pt } }: MarketPart, origin: Origin): Moment {
  return { origin, source_market_id: market.id, source_at: pt, received_at: payload.received_at }
}

/** Fields that give no record of their own, by rule. */
const FIELDS_OF_RULES = [
  ['LAST_PRICE', ['ltp']],
  ['TRADED_TOTAL', ['tv', 'trd']],
  ['STARTING_PRICE', ['spn', 'spf', 'spb', 'spl']],
  ['CUT_LADDER', ['batb', 'batl', 'bdatb', 'bdatl']],
] as const satisfies readonly (readonly [IgnoreRule, readonly string[]])[]

/** Names the rule for a change without the ladder that is shown. */
function ruleOf(change: JsonTextObject): IgnoreRule {
  const states = (fields: readonly string[]) =>
    fields.some((field) => change[field] !== undefined && change[field] !== null)
  return FIELDS_OF_RULES.find(([, fields]) => states(fields))?.[0] ?? 'NOTHING_STATED'
}
