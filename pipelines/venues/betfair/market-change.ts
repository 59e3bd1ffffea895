import type { Micros } from '../../../primitives/instants.ts'
import { type JsonText, type JsonTextObject, listOf, objectOf } from '../../text/json-text.ts'
import type { IgnoreRule } from '../outcomes.ts'
import { Quarantined } from '../quarantine.ts'
import { type PayloadRecords, readPart } from '../read-payload.ts'
import type { Origin, VenuePayload } from '../record.ts'
import { applyLadderChange, hasLadder, readLadderChange } from './ladder-change.ts'
import { isRemoved, type MarketDefinition, readMarketDefinition } from './market-definition.ts'
import { emptyBook, forgetBook, forgetBooks, type Market, mergeTexts, type Runner, runnerOf } from './market-memory.ts'
import { marketReference } from './market-reference.ts'
import { readSettlement } from './market-settlement.ts'
import { orLost } from './or-lost.ts'
import { runnerLabel } from './runner-label.ts'

/** A message of the stream and the time the venue published it. */
export type StreamMessage = { readonly payload: VenuePayload; readonly pt: Micros; readonly out: PayloadRecords }

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
  let found: IgnoreRule = 'NOTHING_STATED'
  if (change.img === true) imageBegins(market)
  if (change.marketDefinition !== undefined && change.marketDefinition !== null) {
    const part = { ...origin, path: `${origin.path}.marketDefinition` }
    market.terms = null
    readPart(out, part, () => applyDefinition(market, change.marketDefinition!, part, message))
  }
  const runners = orLost(
    () => listOf(change.rc),
    () => forgetBooks(market),
  )
  runners.forEach((item, n) => {
    const part = { ...origin, path: `${origin.path}.rc[${n}]` }
    const applied = readPart(out, part, () => applyRunnerChange(market, item))
    if ('record' in applied && FIRST_COUNTS.indexOf(applied.record) < FIRST_COUNTS.indexOf(found))
      found = applied.record
  })
  return change.img === true && market.has_ladders ? 'WITHIN_MINUTE' : found
}

/** Rules of the changes of a market's runners; of all of them the first in this order is the message's. */
const FIRST_COUNTS: readonly IgnoreRule[] = ['WITHIN_MINUTE', 'LAST_PRICE_OR_VOLUME', 'CUT_LADDER', 'NOTHING_STATED']

function imageBegins(market: Market): void {
  market.is_imaged = true
  for (const runner of market.runners.values()) emptyBook(runner)
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

/** Applies one runner's change; returns the rule that says what became of it. */
function applyRunnerChange(market: Market, item: JsonText): IgnoreRule {
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
  if (!hasLadder(change)) return ignoredChange(change)
  if (!runner.book.known) throw new Quarantined('NO_BASE_BOOK')
  const levels = orLost(
    () => readLadderChange(change),
    () => forgetBook(runner),
  )
  market.has_ladders = true
  applyLadderChange(runner.book, levels)
  runner.ladder = { bids: runner.book.levels('bid'), asks: runner.book.levels('ask') }
  return 'WITHIN_MINUTE'
}

const LAST_OR_VOLUME = ['ltp', 'tv', 'trd', 'spn', 'spf', 'spb', 'spl']
const CUT = ['batb', 'batl', 'bdatb', 'bdatl']

/** Names the rule for a change without ladders: last price and volumes, ladders cut to a depth, or nothing. */
function ignoredChange(change: JsonTextObject): IgnoreRule {
  const has = (fields: readonly string[]) =>
    fields.some((field) => change[field] !== undefined && change[field] !== null)
  if (has(LAST_OR_VOLUME)) return 'LAST_PRICE_OR_VOLUME'
  return has(CUT) ? 'CUT_LADDER' : 'NOTHING_STATED'
}
