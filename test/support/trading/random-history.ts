import type { OperatorCommand, Submission } from '../../../trading/engine/submission.ts'
import type { BatchWriter } from '../../trading/support/batch-writer.ts'
import { seededRandom } from '../random.ts'
import { randomSettling } from './random-settling.ts'
import { ACCOUNTS, randomSubmissions } from './random-submissions.ts'
import { concluding, submitting } from './settling.ts'
import { SubmissionMaker } from './submissions.ts'

const MICROS_PER_SECOND = 1_000_000

/**
 * Writes a random history with all that books money: deposits in two assets, withdrawals, orders, fills, settlements that are confirmed,
 * fail and are reversed, adjustments, and a resolution that is paid. A batch has one to six submissions.
 */
export async function writeRandomHistory(writer: BatchWriter, seed: number, count: number): Promise<void> {
  const random = seededRandom(seed)
  const maker = new SubmissionMaker(`h${seed}n`)
  await writer.write(...maker.setUp(ACCOUNTS, '1000'))
  const act = (command: OperatorCommand) => writer.write(maker.operate(command))
  await act({ kind: 'add_asset', asset_id: 'asset_eur', scale: 2 })
  const waiting = randomSubmissions(seed, count, writer.now + MICROS_PER_SECOND)
  for (let n = 0; waiting.length > 0; n += 1) {
    const batch: Submission[] = waiting.splice(0, 1 + Math.floor(random() * 6))
    if (random() < 0.2) batch.push(maker.operate(transfer(n, random)))
    await writer.write(...batch)
    const settling = await randomSettling(writer.pool, random, `${seed}_${n}`)
    if (settling !== null) await act(settling)
  }
  await confirmAll(writer, act)
  await resolve(act)
}

function transfer(n: number, random: () => number): OperatorCommand {
  const account_id = ACCOUNTS[Math.floor(random() * ACCOUNTS.length)]!
  const asset_id = random() < 0.5 ? 'asset_usd' : 'asset_eur'
  const kind = random() < 0.6 ? 'deposit' : 'withdraw'
  return { kind, transfer_id: `tr_h${n}`, account_id, asset_id, amount: `${1 + Math.floor(random() * 20)}` }
}

type Act = (command: OperatorCommand) => Promise<unknown>

/** Confirms what waits for it; a position is paid once nothing of it waits. */
async function confirmAll(writer: BatchWriter, act: Act): Promise<void> {
  const { rows } = await writer.pool.query<{ settlement_id: string; state: string; attempt_count: number }>(
    "SELECT settlement_id, state, attempt_count FROM trading.settlement WHERE state IN ('pending', 'failed', 'submitted')",
  )
  for (const { settlement_id, state, attempt_count } of rows) {
    const attempt = state === 'submitted' ? attempt_count : attempt_count + 1
    if (state !== 'submitted') await act(submitting([settlement_id], attempt))
    await act(concluding([settlement_id], 'confirmed', attempt))
  }
}

const EVIDENCE = [
  { evidence_id: 'ev_1', kind: 'url', source_uri: 'https://example.org', observed_at: null, content_hash: null },
]

async function resolve(act: Act): Promise<void> {
  const resolution_id = 'res_1'
  const payouts = [
    { outcome_id: 'out_yes', payout: '0.37' },
    { outcome_id: 'out_no', payout: '0.63' },
  ]
  const resolver = { kind: 'operator', resolver_id: null }
  const proposal = { verdict: 'resolved', payouts, dispute_window_ms: 0, evidence: EVIDENCE, resolver } as const
  await act({ kind: 'propose_resolution', resolution_id, market_id: 'mkt_1', ...proposal })
  await act({ kind: 'finalize_resolution', resolution_id })
  // Orders of the closed market end in slices; positions are paid when their own have ended.
  for (let n = 0; n < 3; n += 1) await act({ kind: 'pay_resolution', resolution_id, limit: 100 })
}
