import fc from 'fast-check'
import { ROUTE_HANDLERS } from '../../../api/routes/handlers.ts'
import { createRandom } from '../../../simulator/world/random.ts'
import { PATIENT_QUERIES } from '../../../test/support/patient-queries.ts'
import { queryStrings } from '../../../test/support/query-strings.ts'
import { streamMessages } from '../../../test/support/stream-messages.ts'
import type { Named } from '../../../test/support/trading/private-requests.ts'
import {
  type AccountName,
  type ServeAccountsOptions,
  type ServedAccounts,
  serveAccounts,
} from '../../../test/support/trading/served-accounts.ts'
import { serveStream } from '../../../test/support/trading/served-streams.ts'
import { wholeWarehouse } from '../../../test/support/whole-warehouse.ts'
import { auditTrading } from '../../../trading/store/audit-trading.ts'
import type { Pool } from '../../../trading/store/create-pool.ts'
import { openReader } from '../../../warehouse/reader/open-reader.ts'
import { readKnownRecords } from '../requests/known-records.ts'
import { RequestMaker } from './make-request.ts'
import { type FramesReport, runFrames } from './run-frames.ts'
import { type RequestsReport, runRequests } from './run-requests.ts'

export type FuzzOptions = {
  /** Empty; the warehouse is below it. */
  readonly folder: string
  readonly seed: number
  readonly cases: number
  readonly frames: number
  /** Options of the service under test; a test plants a fault here. */
  readonly serving?: ServeAccountsOptions
  readonly onProgress?: (text: string) => void
}

export type FuzzReport = { readonly lane: 'sec:fuzz'; readonly seed: number } & RequestsReport & {
    readonly stream: Omit<FramesReport, 'violations'>
  }

/** Faults in one report; the first one is the one to look at. */
const VIOLATIONS_TOLD = 20
/** Messages that a client may send in a second: the lane looks for what a message does, not for how many are accepted. */
const UNLIMITED = { rate: 1e6, burst: 1e6 } as const

/**
 * Serves public data and accounts in this process, and sends requests and frames with faults. None may bring about a server error, a
 * hang, an answer that is not described, or growth of the heap; the books hold afterwards.
 */
export async function runFuzz(pool: Pool, options: FuzzOptions): Promise<FuzzReport> {
  const { folder, seed, cases, frames, serving, onProgress } = options
  const root = await wholeWarehouse(folder)
  const known = await readKnownRecords(root)
  const reader = await openReader({ root, limits: PATIENT_QUERIES })
  const served = await serveAccounts(pool, { public_data: { reader, handlers: ROUTE_HANDLERS }, ...serving })
  const stream = await serveStream(served, {
    app: served.app,
    reader,
    limits: { messages: UNLIMITED, connects: UNLIMITED },
  })
  const sources = { served, known }
  try {
    const nextQuery = samples(queryStrings, seed)
    const maker = new RequestMaker({
      ...sources,
      named: await namedRecords(served),
      random: createRandom(seed, 'requests'),
      nextQuery,
    })
    const requests = await runRequests(served.app, maker, cases, onProgress)
    const nextMessage = samples(streamMessages, seed)
    const random = createRandom(seed, 'frames')
    const { violations, ...answered } = await runFrames({ ...sources, stream, random, nextMessage, frames })
    const found = [...requests.violations, ...violations, ...(await brokenInvariants(pool))].slice(0, VIOLATIONS_TOLD)
    return { lane: 'sec:fuzz', seed, ...requests, stream: answered, violations: found }
  } finally {
    await stream.stop()
    await served.close()
    await reader.close()
  }
}

/** Makes a working order, a fill with its settlement, a transfer, a webhook and a key of acct_a. */
async function namedRecords(served: ServedAccounts): Promise<Named> {
  const place = async (account: AccountName, side: 'BUY' | 'SELL', limit_price: string) => {
    const body = await served.order({ side, limit_price }, account)
    return await served.call({ method: 'POST', url: '/v1/orders', body, key: served.keys[account] })
  }
  await place('acct_a', 'BUY', '0.40')
  await place('acct_b', 'SELL', '0.40')
  const { order_id, client_order_id } = (await place('acct_a', 'BUY', '0.10')).body.data
  const { fill_id, settlement_id } = (await served.call({ method: 'GET', url: '/v1/fills' })).body.data[0]
  const { key_id } = await served.newKey({})
  const transfer = { account_id: 'acct_a', direction: 'withdrawal', asset_id: 'asset_usd', amount: '1' }
  const asked = await served.call({ method: 'POST', url: '/v1/account/transfers', body: transfer })
  const { transfer_id } = asked.body.data
  const hook = { url: 'https://8.8.8.8/hook', event_types: ['transfer.held'] }
  const { webhook_id } = (await served.call({ method: 'POST', url: '/v1/webhooks', body: hook })).body.data
  return { order_id, client_order_id, fill_id, settlement_id, transfer_id, webhook_id, key_id }
}

const SAMPLED_TOGETHER = 1_000

/** Returns a function that gives one value of a generator after the other. */
function samples<T>(generator: fc.Arbitrary<T>, seed: number): () => T {
  let values: T[] = []
  let chunk = 0
  return () => {
    if (values.length === 0) {
      values = fc.sample(generator, { numRuns: SAMPLED_TOGETHER, seed: seed + chunk })
      chunk += 1
    }
    return values.pop()!
  }
}

async function brokenInvariants(pool: Pool): Promise<string[]> {
  const broken = (await auditTrading(pool)).filter(({ violations }) => violations.length > 0)
  return broken.map(({ invariant_id, violations }) => `${invariant_id}: ${JSON.stringify(violations[0])}`)
}
