import { setTimeout as sleep } from 'node:timers/promises'
import type { Submission } from '../../../trading/engine/submission.ts'
import type { Pool } from '../../../trading/store/create-pool.ts'
import { pick, seededRandom } from '../random.ts'
import { SubmissionMaker } from './submissions.ts'

export const ACCOUNTS = ['acct_a', 'acct_b', 'acct_c'] as const

/**
 * A random history: orders of every kind around one price, so that much of it executes, cancels, amends, batches, pauses. What it
 * names may have ended long ago.
 */
export function randomSubmissions(seed: number, count: number, now: number, name = `r${seed}n`): Submission[] {
  const random = seededRandom(seed)
  const maker = new SubmissionMaker(name)
  const placed: { account_id: string; order_id: string }[] = []
  const terms = () => ({
    side: pick(['BUY', 'SELL'] as const, random),
    outcome_id: pick(['out_yes', 'out_yes', 'out_no'], random),
    limit_price: `0.${40 + Math.floor(random() * 20)}`,
    quantity: `${1 + Math.floor(random() * 20)}`,
    self_trade_prevention: pick(['cancel_taker', 'cancel_maker', 'cancel_both'] as const, random),
    cancel_on_pause: random() < 0.2,
    ...pick([{}, {}, {}, { post_only: true }, { reduce_only: true }, { time_in_force: 'FOK' as const }], random),
    ...pick([{}, {}, {}, { time_in_force: 'FAK' as const, post_only: false }], random),
    ...(random() < 0.1
      ? { time_in_force: 'GTD' as const, expires_at: now + Math.floor(random() * 3_000_000), post_only: false }
      : {}),
  })
  const place = (account_id: string) => {
    const placing = maker.place(account_id, terms())
    placed.push({ account_id, order_id: placing.order.intent.order_id })
    return placing
  }
  const next = (): Submission => {
    const account_id = pick(ACCOUNTS, random)
    const chance = random()
    const known = placed.length === 0 ? null : placed[placed.length - 1 - Math.floor(random() ** 2 * placed.length)]!
    if (chance < 0.6 || known === null) return place(account_id)
    if (chance < 0.8) return maker.cancel(known.account_id, known.order_id)
    if (chance < 0.88) return maker.amend(known.account_id, known.order_id, 3, terms())
    if (chance < 0.92) return maker.placeBatch(account_id, [terms(), terms(), terms()])
    if (chance < 0.94) return maker.cancelAll(account_id)
    if (chance < 0.96) return maker.operate({ kind: 'move_market', market_id: 'mkt_1', to: 'paused' })
    if (chance < 0.99) return maker.operate({ kind: 'move_market', market_id: 'mkt_1', to: 'open' })
    return maker.operate({ kind: 'set_mark', market_id: 'mkt_1', outcome_id: 'out_yes', mark: '0.5' })
  }
  return Array.from({ length: count }, next)
}

const CAN_EXPIRE = `SELECT FROM trading.orders
  WHERE expires_at IS NOT NULL AND status NOT IN ('rejected', 'filled', 'canceled', 'expired', 'failed')`

/**
 * Waits until none of these orders can expire: from then on a running engine changes nothing by itself. What is read twice, or in two
 * processes, and compared, is read after that. The test's time is the bound.
 */
export async function untilNothingExpires(pool: Pool): Promise<void> {
  while ((await pool.query(CAN_EXPIRE)).rowCount !== 0) await sleep(20)
}
