import type { EngineEvent, FillEvent } from '../../../../trading/engine/events.ts'
import type { Submission } from '../../../../trading/engine/submission.ts'
import type { OrderIntent } from '../../../../trading/order/order-intent.ts'
import { PublicMarkets } from '../../../../trading/public-market/fold-events.ts'
import type { PublicListing } from '../../../../trading/public-market/public-market.ts'
import { pick, seededRandom } from '../../../support/random.ts'
import { SubmissionMaker } from '../../../support/trading/submissions.ts'
import { MemoryEngine } from '../../support/memory-engine.ts'

/** One history without an order and the same one with it: what others send is the same, batch for batch. */

const BUYERS = ['acct_b1', 'acct_b2', 'acct_b3'] as const
const SELLERS = ['acct_s1', 'acct_s2', 'acct_s3'] as const
export const ASKED = 'acct_asked'

export const LISTING: PublicListing = {
  market_id: 'mkt_1',
  status: 'scheduled',
  terms: { price_scale: 2, quantity_scale: 2 },
  outcomes: ['yes', 'no'].map((label) => ({ outcome_id: `out_${label}`, label })),
  created_at: 0,
}

export type Batch = { readonly at: number; readonly events: readonly EngineEvent[] }
export type Course = {
  readonly complementary: boolean
  /** Whether orders are canceled, replaced, and sent with conditions. */
  readonly is_wild: boolean
  /** Whether orders against the asked one may end without a public record: FAK and FOK that find too little. */
  readonly has_hidden: boolean
}
export type AskedTerms = Pick<OrderIntent, 'outcome_id' | 'side' | 'limit_price' | 'quantity'>

/** Runs a history; `placed` is sent in a batch of its own after `before` batches, and that batch is empty without it. */
export function runHistory(
  script: readonly (readonly Submission[])[],
  { before, placed }: { readonly before: number; readonly placed: Submission | null },
): readonly Batch[] {
  const engine = new MemoryEngine()
  let seen = 0
  const run = (submissions: readonly Submission[]): Batch => {
    engine.submit(...submissions)
    const rows = engine.rows('engine_event').slice(seen)
    seen += rows.length
    const events = rows.map(({ engine_sequence, kind, body }) => {
      return { engine_sequence, at: engine.now, kind, ...(body as object) } as EngineEvent
    })
    return { at: engine.now, events }
  }
  const first = script.slice(0, before).map(run)
  const asked = run(placed === null ? [] : [placed])
  return [...first, asked, ...script.slice(before).map(run)]
}

/** Orders of others around one price. Buyers and sellers are other accounts, so that nobody trades with itself. */
export function randomScript(seed: number, count: number, course: Course, asked_side: 'BUY' | 'SELL') {
  const random = seededRandom(seed)
  const maker = new SubmissionMaker(`w${seed}n`)
  const placed: { account_id: string; order_id: string; on_ladder: 'BUY' | 'SELL' }[] = []
  const terms = (on_ladder: 'BUY' | 'SELL'): Partial<OrderIntent> => {
    const is_no = course.complementary && random() < 0.4
    const price = 44 + Math.floor(random() * 12)
    const opposes = on_ladder !== asked_side
    // One beside the asked order that its offers refuse has no public record, and would stand before it.
    const wild = course.is_wild && opposes ? [{}, {}, { post_only: true }] : [{}]
    const hidden = opposes && !course.has_hidden ? [{}] : [{}, {}, { time_in_force: 'FAK' as const, post_only: false }]
    return {
      outcome_id: is_no ? 'out_no' : 'out_yes',
      side: is_no ? (on_ladder === 'BUY' ? 'SELL' : 'BUY') : on_ladder,
      limit_price: `0.${is_no ? 100 - price : price}`,
      quantity: `${1 + Math.floor(random() * 12)}`,
      ...pick<Partial<OrderIntent>>(wild, random),
      ...(course.is_wild ? pick<Partial<OrderIntent>>(hidden, random) : {}),
    }
  }
  const place = (): Submission => {
    const on_ladder = pick(['BUY', 'SELL'] as const, random)
    const account_id = pick(on_ladder === 'BUY' ? BUYERS : SELLERS, random)
    const one = maker.place(account_id, terms(on_ladder))
    placed.push({ account_id, order_id: one.order.intent.order_id, on_ladder })
    return one
  }
  const next = (): Submission => {
    const chance = random()
    const known = placed.length === 0 ? null : placed[placed.length - 1 - Math.floor(random() ** 2 * placed.length)]!
    if (!course.is_wild || chance < 0.65 || known === null) return place()
    if (chance < 0.85) return maker.cancel(known.account_id, known.order_id)
    if (chance < 0.97) return maker.amend(known.account_id, known.order_id, 3, terms(known.on_ladder))
    return maker.cancelAll(known.account_id)
  }
  const set_up = maker.setUp([...BUYERS, ...SELLERS, ASKED], '100000', { complementary: course.complementary })
  return [set_up, ...Array.from({ length: count }, () => [next()])]
}

/** Quantity of an order that had filled by the end of each batch. */
export function filledBy(batches: readonly Batch[], order_id: string): readonly number[] {
  let filled = 0
  return batches.map(({ events }) => {
    const fills = events.filter((event): event is FillEvent => event.kind === 'fill' && event.order_id === order_id)
    filled += fills.reduce((sum, { quantity }) => sum + quantity, 0)
    return filled
  })
}

/** The public state of an outcome after some batches. */
export function outcomeAfter(batches: readonly Batch[], outcome_id: string) {
  const markets = new PublicMarkets()
  markets.list(LISTING)
  for (const { at, events } of batches) markets.apply(at, events)
  return markets.outcome(outcome_id)!
}
