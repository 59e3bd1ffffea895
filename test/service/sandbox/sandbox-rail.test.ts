import { afterAll, beforeAll, expect, test } from 'vitest'
import { runSandboxRail } from '../../../service/sandbox/run-sandbox-rail.ts'
import { ensureSandboxOperators } from '../../../service/sandbox/sandbox-operators.ts'
import { operatorReads } from '../../../trading/store/operator/operator-reads.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import { ENVIRONMENT, type ServedAccounts, serveAccounts } from '../../support/trading/served-accounts.ts'

const database = withDatabase()
const home = tempFolder()
const stopping = new AbortController()
const problems: unknown[] = []
let served: ServedAccounts
let running: Promise<void>

beforeAll(async () => {
  served = await serveAccounts((await database()).pool)
  const ports = {
    client: served.engine,
    reads: operatorReads(served.pool),
    home,
    environment: ENVIRONMENT,
    note: () => undefined,
  }
  await ensureSandboxOperators(ports)
  running = runSandboxRail(ports, stopping.signal, (error) => problems.push(error))
}, 180_000)
afterAll(async () => {
  stopping.abort()
  await running
  await served.close()
})

test('the rail of a sandbox confirms what was requested, and refuses a destination made for that', async () => {
  const ask = async (direction: string, destination: string) => {
    const body = { account_id: 'acct_a', direction, asset_id: 'asset_usd', amount: '10', destination }
    const got = await served.call({ method: 'POST', url: '/v1/account/transfers', body })
    expect(got.status, got.text).toBe(201)
    return got.body.data.transfer_id as string
  }
  const asked = [await ask('deposit', 'x'), await ask('withdrawal', 'IBAN 1'), await ask('withdrawal', 'fail here')]
  const canceled = await ask('withdrawal', 'IBAN 2')
  await served.call({ method: 'POST', url: `/v1/account/transfers/${canceled}/cancel`, body: {} })
  const states = async () => {
    const { data } = (await served.call({ method: 'GET', url: '/v1/account/transfers' })).body
    const byId = new Map<string, string>(data.map((one: Record<string, string>) => [one.transfer_id, one.state]))
    return [...asked, canceled].map((id) => byId.get(id))
  }
  await expect.poll(states, { timeout: 90_000 }).toEqual(['confirmed', 'confirmed', 'failed', 'canceled'])
  expect(problems).toEqual([])
  const [balance] = (await served.call({ method: 'GET', url: '/v1/balances' })).body.data
  expect([balance.total, balance.withdrawal_hold]).toEqual(['100000.000000', '0.000000'])
})
