import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PrivateOperationId } from '../../../protocol/endpoints/trading-endpoints.ts'
import { auditTrading } from '../../../trading/store/audit-trading.ts'
import { notFound, type PlantedChange } from '../../support/trading/audit-after.ts'
import { assertDescribed, assertRefused } from '../../support/trading/match-private.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import {
  type AccountName,
  type Got,
  type ServedAccounts,
  serveAccounts,
} from '../../support/trading/served-accounts.ts'

const database = withDatabase()
let served: ServedAccounts
beforeAll(async () => {
  served = await serveAccounts((await database()).pool, { deposit: '50000' })
}, 180_000)
afterAll(() => served.close())

const TRANSFERS = '/v1/account/transfers'
const get = async (operation_id: PrivateOperationId, url: string): Promise<Got> => {
  const got = await served.call({ method: 'GET', url: `/v1${url}` })
  assertDescribed(operation_id, got)
  return got
}
const request = async (direction: 'deposit' | 'withdrawal', amount: string, account: AccountName = 'acct_a') => {
  const body = { account_id: account, direction, asset_id: 'asset_usd', amount, destination: 'IBAN 1' }
  const got = await served.call({ method: 'POST', url: TRANSFERS, body, key: served.keys[account] })
  assertDescribed('request_transfer', got)
  return got
}
const conclude = (transfer_id: string, result: 'confirmed' | 'failed') =>
  served.act({ kind: 'conclude_transfer', transfer_id, result, external_reference: 'wire 1', failure: null })
const money = async () => {
  const [{ total, available, withdrawal_hold }] = (await get('list_balances', '/balances')).body.data
  return [total, available, withdrawal_hold]
}

test.each(['\u0007', '\u009b31m', '\u202eNABI', '\u2028', '\u2066'])(
  'a destination that would look like another one is refused: %j',
  async (text) => {
    const body = { account_id: 'acct_a', direction: 'withdrawal', asset_id: 'asset_usd', amount: '1' }
    const asked = { ...body, destination: `IBAN 1${text}` }
    const got = await served.call({ method: 'POST', url: TRANSFERS, body: asked, key: served.keys.acct_a })
    assertRefused('request_transfer', got, 'VALIDATION_BODY_INVALID')
  },
)

test('a withdrawal from its request to its end, a deposit, and what the statement says of both', async () => {
  const held = await request('withdrawal', '250.00')
  expect(held.status, held.text).toBe(201)
  const { transfer_id } = held.body.data
  expect(held.headers.location).toBe(`${TRANSFERS}/${transfer_id}`)
  expect(held.body.data).toMatchObject({ state: 'held', amount: '250.000000', destination: 'IBAN 1', reason: null })
  expect(await money()).toEqual(['50000.000000', '49750.000000', '250.000000'])
  await conclude(transfer_id, 'confirmed')
  expect(await money()).toEqual(['49750.000000', '49750.000000', '0.000000'])
  const { data } = (await get('get_transfer', `/account/transfers/${transfer_id}`)).body
  expect(data).toMatchObject({ state: 'confirmed', external_reference: 'wire 1', projection_version: 2 })
  const paid_in = (await request('deposit', '40')).body.data
  expect([paid_in.state, paid_in.destination]).toEqual(['requested', null])
  await conclude(paid_in.transfer_id, 'confirmed')
  expect(await money()).toEqual(['49790.000000', '49790.000000', '0.000000'])
  const entries = (await get('list_statement', '/account/statement')).body.data
  const own = entries.filter((entry: { transfer_id: string }) => entry.transfer_id?.startsWith('trf_'))
  expect(own.map(({ kind, bucket, amount }: Record<string, string>) => [kind, bucket, amount].join(' '))).toEqual([
    'withdrawal available -250.000000',
    'withdrawal withdrawal_hold 250.000000',
    'withdrawal withdrawal_hold -250.000000',
    'deposit available 40.000000',
  ])
})

test('a canceled one gives the money back; it is listed, and cannot be canceled again', async () => {
  const money_before = await money()
  const { transfer_id } = (await request('withdrawal', '10')).body.data
  const cancel = () =>
    served.call({ method: 'POST', url: `${TRANSFERS}/${transfer_id}/cancel`, body: { reason: 'changed plans' } })
  const canceled = await cancel()
  assertDescribed('cancel_transfer', canceled)
  expect(canceled.body.data).toMatchObject({ state: 'canceled', reason: 'changed plans' })
  expect(await money()).toEqual(money_before)
  const again = await cancel()
  assertRefused('cancel_transfer', again, 'TRANSFER_NOT_OPEN')
  expect(again.body.data.state).toBe('canceled')
  const listed = (await get('list_transfers', '/account/transfers?state=canceled&direction=withdrawal')).body.data
  expect(listed).toEqual([canceled.body.data])
  const first = await get('list_transfers', '/account/transfers?limit=1')
  const rest = await get('list_transfers', `/account/transfers?limit=1&cursor=${first.body.page.next_cursor}`)
  expect([first.body.data[0].transfer_id, rest.body.data.length]).toEqual([transfer_id, 1])
  const { requested_at } = first.body.data[0]
  const from = (await get('list_transfers', `/account/transfers?requested_after=${requested_at}`)).body.data
  const before = (await get('list_transfers', `/account/transfers?requested_before=${requested_at}`)).body.data
  expect([from, before]).toEqual([[first.body.data[0]], rest.body.data.concat(before.slice(1))])
})

test('an id of a transfer that an operator booked is answered with where to find it', async () => {
  const booked = await served.call({ method: 'GET', url: `${TRANSFERS}/xfer_acct_sandbox_1` })
  assertRefused('get_transfer', booked, 'TRANSFER_NOT_FOUND')
  expect(booked.body.error.message).toContain('an operator booked this one')
})

test('the same Idempotency-Key is one withdrawal; more than is available is refused', async () => {
  const [, available] = await money()
  const body = { account_id: 'acct_a', direction: 'withdrawal', asset_id: 'asset_usd', amount: '5' }
  const ask = () => served.call({ method: 'POST', url: TRANSFERS, body, idempotency_key: 'once' })
  const [first, second] = [await ask(), await ask()]
  expect([second.headers['svc-idempotent-replay'], second.body.data]).toEqual(['true', first.body.data])
  assertRefused('request_transfer', await request('withdrawal', available!), 'BALANCE_INSUFFICIENT_COLLATERAL')
  assertRefused('request_transfer', await request('withdrawal', '1', 'acct_empty'), 'BALANCE_INSUFFICIENT_COLLATERAL')
  assertRefused('request_transfer', await request('deposit', '0'), 'TRANSFER_AMOUNT_INVALID')
})

/** Changes that an audit must find, by invariant. */
const PLANTED: readonly PlantedChange[] = [
  ['L8', "UPDATE trading.transfer SET state = 'failed' WHERE state = 'confirmed'"],
  [
    'L9',
    "UPDATE trading.balance SET withdrawal_hold = withdrawal_hold + 1, total = total + 1 WHERE account_id = 'acct_a'",
  ],
  ['L9', "UPDATE trading.transfer SET amount = amount + 1 WHERE state = 'held'"],
  ['L9', "UPDATE trading.transfer SET state = 'confirmed' WHERE state = 'canceled'"],
  ['D11', "UPDATE trading.transfer SET amount = amount + 1 WHERE state = 'confirmed'"],
]

test('the books agree with it, and the audit finds each change', async () => {
  const audited = await auditTrading(served.pool)
  expect(audited.flatMap(({ invariant_id, violations }) => violations.map((one) => [invariant_id, one]))).toEqual([])
  expect(await notFound(served.pool, PLANTED)).toEqual([])
})
