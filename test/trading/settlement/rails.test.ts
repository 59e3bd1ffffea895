import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SettlementInstruction } from '../../../trading/engine/settlement-commands.ts'
import { custodialRail } from '../../../trading/settlement/custodial-rail.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { faultOf, RAIL_FAULTS, type RailFault } from '../../support/trading/fault-plan.ts'
import { faultRail } from '../../support/trading/fault-rail.ts'
import { openRailRecord } from '../../support/trading/rail-record.ts'

const folder = tempFolder()
let folders = 0
const signal = new AbortController().signal

function instruction(given: Partial<SettlementInstruction> = {}): SettlementInstruction {
  return {
    settlement_id: 'stl_1',
    attempt_id: 'att_1_1',
    attempt_number: 1,
    account_id: 'acct_a',
    market_id: 'mkt_1',
    outcome_id: 'out_yes',
    asset_id: 'asset_usd',
    side: 'BUY',
    quantity: 100,
    notional: 4_000_000,
    fee: 8_000,
    ...given,
  }
}

/** A rail that has one fault alone. */
async function railWith(fault: RailFault, now_ms: () => number = () => 0) {
  folders += 1
  const record = await openRailRecord(join(folder, `rail-${folders}`))
  const rates = fault === 'none' ? {} : { [fault]: 1_000 }
  return { rail: faultRail({ seed: '1', rates, record, now_ms, late_ms: 100 }), record }
}

describe('custody of our own', () => {
  test('confirms at once; the reference names the transfer, and is the same each time', async () => {
    const rail = custodialRail()
    const [first] = await rail.submit([instruction()], signal)
    expect(first).toMatchObject({ settlement_id: 'stl_1', result: 'confirmed', external_reference: 'book/stl_1' })
    expect(await rail.submit([instruction({ attempt_id: 'att_1_2', attempt_number: 2 })], signal)).toEqual([first])
    expect(await rail.statusOf(['stl_1'], signal)).toEqual([first])
  })

  test('an asset that is not in custody is refused', async () => {
    const [answer] = await custodialRail(new Set(['asset_eur'])).submit([instruction()], signal)
    expect(answer).toMatchObject({ result: 'rejected', failure_code: 'SETTLEMENT_ASSET_MISMATCH', retryable: false })
    expect(answer?.message).toBe('asset is asset_usd; in custody are asset_eur')
  })
})

describe('a rail with faults', () => {
  test.each([
    { fault: 'unavailable', first: 'unavailable' },
    { fault: 'rejected', first: 'rejected' },
    { fault: 'asset_mismatch', first: 'rejected' },
  ] as const)(
    '$fault: the first attempt is refused and nothing is executed; the second goes through',
    async ({ fault, first }) => {
      const { rail } = await railWith(fault)
      expect(await rail.submit([instruction()], signal)).toMatchObject([{ result: first }])
      expect(await rail.statusOf(['stl_1'], signal)).toMatchObject([{ result: 'unknown' }])
      const again = instruction({ attempt_id: 'att_1_2', attempt_number: 2 })
      expect(await rail.submit([again], signal)).toMatchObject([{ result: 'confirmed' }])
    },
  )

  test('lost: no answer, and nothing was done; lost_answer: no answer, and it was done', async () => {
    const [lost, lost_answer] = [await railWith('lost'), await railWith('lost_answer')]
    await expect(lost.rail.submit([instruction()], signal)).rejects.toThrow('the rail did not answer in time')
    expect(await lost.rail.statusOf(['stl_1'], signal)).toMatchObject([{ result: 'unknown' }])
    await expect(lost_answer.rail.submit([instruction()], signal)).rejects.toThrow('the rail did not answer in time')
    expect(await lost_answer.rail.statusOf(['stl_1'], signal)).toMatchObject([{ result: 'confirmed' }])
  })

  test('late: taken, and confirmed when its time is over', async () => {
    let now_ms = 1_000
    const { rail } = await railWith('late', () => now_ms)
    expect(await rail.submit([instruction()], signal)).toMatchObject([{ result: 'accepted' }])
    now_ms = 1_099
    expect(await rail.statusOf(['stl_1'], signal)).toMatchObject([{ result: 'accepted' }])
    now_ms = 1_100
    expect(await rail.statusOf(['stl_1'], signal)).toMatchObject([{ result: 'confirmed' }])
  })

  test('duplicate: answered twice, executed once', async () => {
    const { rail } = await railWith('duplicate')
    const answers = await rail.submit([instruction()], signal)
    expect(answers).toHaveLength(2)
    expect(answers[0]).toEqual(answers[1])
  })

  test('what is taken back is told as reversed, by every rail over the same record', async () => {
    const { rail, record } = await railWith('none')
    await rail.submit([instruction(), instruction({ settlement_id: 'stl_2' })], signal)
    expect(await rail.reversals(signal)).toEqual([])
    await record.takeBack('stl_2')
    await record.takeBack('stl_2')
    const other = faultRail({
      seed: '2',
      rates: {},
      record: await openRailRecord(join(folder, `rail-${folders}`)),
      now_ms: () => 9,
    })
    expect(await other.reversals(signal)).toMatchObject([{ settlement_id: 'stl_2', result: 'reversed' }])
    expect(await other.submit([instruction({ settlement_id: 'stl_2' })], signal)).toMatchObject([
      { result: 'reversed' },
    ])
    expect(await other.statusOf(['stl_1'], signal)).toMatchObject([{ result: 'confirmed' }])
  })

  test('two that execute at once: one transfer stands', async () => {
    const record = await openRailRecord(join(folder, 'race'))
    const transfers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        record.execute({ settlement_id: 'stl_9', external_reference: `ref_${n}`, executed_at_ms: n, final_at_ms: n }),
      ),
    )
    expect(new Set(transfers.map(({ external_reference }) => external_reference)).size).toBe(1)
    expect(await record.find('stl_9')).toEqual(transfers[0])
    const later = { ...transfers[0]!, external_reference: 'later' }
    expect(await record.execute(later)).toEqual(transfers[0])
  })

  test('the fault is the choice of the seed by what a settlement is; rates are of a thousand', () => {
    const rates = { late: 300, lost: 200 }
    const counts = new Map<string, number>()
    for (let n = 0; n < 2_000; n += 1) {
      const fault = faultOf('7', rates, instruction({ notional: n }))
      expect(faultOf('7', rates, instruction({ notional: n, settlement_id: 'stl_other', attempt_number: 3 }))).toBe(
        fault,
      )
      counts.set(fault, (counts.get(fault) ?? 0) + 1)
    }
    expect([...counts.keys()].sort()).toEqual(['late', 'lost', 'none'])
    expect(counts.get('late')).toBeGreaterThan(500)
    expect(counts.get('late')).toBeLessThan(700)
  })

  test('however often it is asked, and whatever it does: at most one execution of a settlement', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...RAIL_FAULTS),
        fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 6 }),
        async (fault, attempts) => {
          const { rail, record } = await railWith(fault)
          const references = new Set<string>()
          for (const attempt_number of attempts) {
            const answers = await rail
              .submit([instruction({ attempt_number, attempt_id: `att_1_${attempt_number}` })], signal)
              .catch(() => [])
            for (const { result, external_reference } of answers) {
              if (result === 'confirmed') references.add(external_reference!)
            }
          }
          const transfer = await record.find('stl_1')
          expect(references.size).toBeLessThanOrEqual(1)
          if (references.size === 1) expect([...references]).toEqual([transfer?.external_reference])
        },
      ),
      { numRuns: 60 },
    )
  })
})
