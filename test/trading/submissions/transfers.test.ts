import { beforeEach, describe, expect, test } from 'vitest'
import { TRANSFERS } from '../../../protocol/limits.ts'
import type { Transfer } from '../../../protocol/resources/transfer.ts'
import { type ConcludeTransfer, seenTransfer } from '../../../trading/engine/transfer-commands.ts'
import { SubmissionMaker } from '../../support/trading/submissions.ts'
import { checkEngine } from '../support/check-invariants.ts'
import { MemoryEngine } from '../support/memory-engine.ts'

let engine: MemoryEngine
let maker: SubmissionMaker

beforeEach(() => {
  engine = new MemoryEngine()
  maker = new SubmissionMaker()
  engine.submit(...maker.setUp(['acct_a', 'acct_b'], '1000'))
})

const withdrawal = (amount: string, account_id = 'acct_a') =>
  maker.transfer(account_id, { direction: 'withdrawal', amount })
const deposit = (amount: string) => maker.transfer('acct_a', { direction: 'deposit', amount })
const conclude = (transfer_id: string, result: ConcludeTransfer['result']) =>
  engine.ask(
    maker.operate({ kind: 'conclude_transfer', transfer_id, result, external_reference: 'wire 1', failure: 'closed' }),
  )
const usd = () => {
  const { total, withdrawal_hold } = engine.state.accounts.get('acct_a')!.balances.get('asset_usd')!
  return [total / 1_000_000, withdrawal_hold / 1_000_000]
}
const asked = (submission: ReturnType<typeof deposit>) => engine.ask<Transfer>(submission)

describe('a withdrawal', () => {
  test('is held, then paid out; only what is left is available', () => {
    const { status, data, location } = asked(withdrawal('400.5'))
    expect([status, data.state, data.amount, location]).toEqual([
      ...[201, 'held', '400.500000', `/v1/account/transfers/${data.transfer_id}`],
    ])
    expect(usd()).toEqual([1000, 400.5])
    expect(asked(withdrawal('599.500001'))).toMatchObject({ error: { code: 'BALANCE_INSUFFICIENT_COLLATERAL' } })
    expect(asked(withdrawal('599.5')).status).toBe(201)
    expect(conclude(data.transfer_id, 'confirmed').status).toBe(200)
    expect(usd()).toEqual([599.5, 599.5])
    checkEngine(engine)
  })

  test.each(['failed', 'canceled'] as const)('that %s gives the money back', (end) => {
    const { transfer_id } = asked(withdrawal('400')).data
    const ended =
      end === 'failed' ? conclude(transfer_id, 'failed') : engine.ask(maker.cancelTransfer('acct_a', transfer_id))
    expect(ended.status).toBe(200)
    expect(usd()).toEqual([1000, 0])
    expect(engine.rows('transfer')).toMatchObject([{ state: end, projection_version: 2 }])
    expect(engine.ask(maker.cancelTransfer('acct_a', transfer_id))).toMatchObject({
      ...{ status: 409, error: { code: 'TRANSFER_NOT_OPEN' }, data: { state: end } },
    })
    expect(conclude(transfer_id, 'confirmed')).toMatchObject({ status: 400 })
    expect(usd()).toEqual([1000, 0])
    checkEngine(engine)
  })

  test.each([
    ['account_id', 'acct_b'],
    ['direction', 'deposit'],
    ['asset_id', 'asset_eur'],
    ['amount', '400.000001'],
    ['destination', 'IBAN 2'],
  ] as const)('is not ended by an act whose operators saw another %s', (field, value) => {
    const { transfer_id, ...asked_for } = asked(withdrawal('400')).data
    const end = (changes: object) => {
      const transfer = { ...seenTransfer(asked_for), ...changes }
      const told = { external_reference: null, failure: null, transfer }
      return engine.ask(maker.operate({ kind: 'conclude_transfer', transfer_id, result: 'confirmed', ...told }))
    }
    expect(end({ [field]: value })).toMatchObject({ status: 400, error: { message: expect.stringContaining(value) } })
    expect(usd()).toEqual([1000, 400])
    expect(end({}).status).toBe(200)
    expect(usd()).toEqual([600, 0])
  })

  test('of another account cannot be told from none', () => {
    const { transfer_id } = asked(withdrawal('1')).data
    const theirs = engine.ask(maker.cancelTransfer('acct_b', transfer_id))
    expect(theirs).toMatchObject({ status: 404, error: { code: 'TRANSFER_NOT_FOUND' } })
    expect(engine.ask(maker.cancelTransfer('acct_b', 'trf_absent')).error!.code).toBe('TRANSFER_NOT_FOUND')
  })

  test('repeated with the same Idempotency-Key is one withdrawal', () => {
    const first = withdrawal('400')
    const { identity } = first
    const { data } = asked(first)
    const again = asked({ ...first, identity: { ...identity, nonce: 'another' } })
    expect([again.replayed, again.data]).toEqual([true, data])
    expect(usd()).toEqual([1000, 400])
  })

  test('two in one batch cannot both take the same money', () => {
    const answers = engine.submit(withdrawal('600'), withdrawal('600'))
    expect(answers.map(({ status }) => status)).toEqual([201, 422])
    checkEngine(engine)
  })
})

describe('a deposit', () => {
  test('moves nothing before it is confirmed, once', () => {
    const { transfer_id, state } = asked(deposit('250')).data
    expect([state, ...usd()]).toEqual(['requested', 1000, 0])
    expect(conclude(transfer_id, 'confirmed').status).toBe(200)
    expect(conclude(transfer_id, 'confirmed').status).toBe(400)
    expect(usd()).toEqual([1250, 0])
    checkEngine(engine)
  })

  test('that the rail reports as failed moves nothing', () => {
    const { transfer_id } = asked(deposit('250')).data
    conclude(transfer_id, 'failed')
    expect(usd()).toEqual([1000, 0])
    expect(engine.rows('transfer')).toMatchObject([{ state: 'failed', reason: 'closed', external_reference: 'wire 1' }])
  })
})

describe('limits', () => {
  test.each([
    [{ amount: '0' }, 'TRANSFER_AMOUNT_INVALID'],
    [{ amount: '1.0000001' }, 'TRANSFER_AMOUNT_INVALID'],
    [{ asset_id: 'asset_none' }, 'TRANSFER_AMOUNT_INVALID'],
    [{ amount: `${TRANSFERS.amount_of_day_max}.000001` }, 'TRANSFER_LIMIT_EXCEEDED'],
  ] as const)('%j: %s, and nothing is recorded', (terms, code) => {
    expect(asked(maker.transfer('acct_a', { direction: 'deposit', amount: '1', ...terms }))).toMatchObject({
      ...{ status: 422, error: { code } },
    })
    expect(engine.rows('transfer')).toEqual([])
  })

  test('open ones, and those of a day; canceled ones count for the number alone, and a day later nothing does', () => {
    const all = Array.from({ length: TRANSFERS.open_max }, () => asked(deposit('5000')).data.transfer_id)
    expect(asked(deposit('1')).error!.code).toBe('TRANSFER_LIMIT_EXCEEDED')
    engine.ask(maker.cancelTransfer('acct_a', all[0]!))
    expect(asked(deposit('5000.000001')).error!.code).toBe('TRANSFER_LIMIT_EXCEEDED')
    expect(asked(deposit('5000')).status).toBe(201)
    for (const id of all.slice(1)) conclude(id, 'confirmed')
    expect(asked(deposit('1')).error!.message).toContain('of a day')
    for (let n = TRANSFERS.open_max + 1; n < TRANSFERS.of_day_max; n += 1) {
      const { transfer_id } = asked(withdrawal('1')).data
      engine.ask(maker.cancelTransfer('acct_a', transfer_id))
    }
    expect(asked(withdrawal('1')).error!.message).toContain('within a day')
    engine.now += 86_400 * 1_000_000
    expect(asked(withdrawal('1')).status).toBe(201)
    checkEngine(engine)
  })
})
