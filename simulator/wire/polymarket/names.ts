import { sha256Hex } from '../../../primitives/ids.ts'
import type { EventPlan, MarketPlan, WorldPlan } from '../../world/plan.ts'

/** Polymarket's names of one market. */
export type MarketNames = {
  /** Gamma's own id: a decimal number as text. */
  readonly id: string
  /** 0x and 64 hex digits. */
  readonly condition_id: string
  readonly question_id: string
  readonly slug: string
  /** Unsigned 256-bit integers as decimal text: YES, then NO. */
  readonly tokens: readonly [string, string]
  /** First 32 hex digits of the hashes of each token's books. */
  readonly hashes: readonly [string, string]
  readonly event: EventNames
}

export type EventNames = { readonly id: string; readonly slug: string; readonly neg_risk_id: string | null }

/** Labels of the outcomes, in the order of the tokens. */
export const OUTCOMES = ['Yes', 'No'] as const

/** Names every market of a plan, by ordinal. */
export function polymarketNames({ options, events, markets }: WorldPlan): readonly MarketNames[] {
  const hex = (...parts: readonly (string | number)[]) =>
    sha256Hex([options.seed, 'polymarket', ...parts].join('\u001f'))
  const first = options.first_number ?? 0
  const eventNames = events.map((event) => nameEvent(event, first, hex('event', event.ordinal)))
  return markets.map((market) =>
    nameMarket(market, first, eventNames[market.event]!, (part) => hex(part, market.ordinal)),
  )
}

function nameEvent({ ordinal, kind, title }: EventPlan, first: number, hash: string): EventNames {
  return {
    id: String(40_000 + first + ordinal),
    slug: slugOf(title),
    neg_risk_id: kind === 'multi' ? `0x${hash}` : null,
  }
}

function nameMarket(
  { ordinal, question }: MarketPlan,
  first: number,
  event: EventNames,
  hex: (part: string) => string,
): MarketNames {
  const token = (part: string) => BigInt(`0x${hex(part)}`).toString()
  return {
    id: String(600_000 + first + ordinal),
    condition_id: `0x${hex('condition')}`,
    question_id: `0x${hex('question')}`,
    slug: `${slugOf(question)}-${first + ordinal}`,
    tokens: [token('yes'), token('no')],
    hashes: [hex('yes').slice(0, 32), hex('no').slice(0, 32)],
    event,
  }
}

function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}
