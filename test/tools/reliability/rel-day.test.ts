import { beforeAll, describe, expect, test } from 'vitest'
import { createRandom } from '../../../simulator/world/random.ts'
import { differencesOf } from '../../../tools/reliability/day/day-outcome.ts'
import { dayScript, isOfMany } from '../../../tools/reliability/day/day-script.ts'
import { planDayKills } from '../../../tools/reliability/day/plan-day-kills.ts'
import { type DayReport, runDays } from '../../../tools/reliability/day/run-day.ts'
import { sized } from '../../support/sized.ts'
import { FAST } from '../../support/trading/postgres.ts'

/** A seed whose few kills hit engine, worker and Postgres, at random and at named steps. */
const SEED = 12
const [ORDERS, KILLS] = sized([12, 2], [28, 5])

let report: DayReport

beforeAll(async () => {
  report = await runDays({ seed: SEED, orders: ORDERS, kills: KILLS, postgres: FAST })
}, 600_000)

describe('a day with kills', () => {
  test('ends as the undisturbed one, and every promise of the books holds', () => {
    expect(report.violations).toEqual([])
    expect(report.kills).toBe(KILLS)
    expect(report.settlements).toBeGreaterThan(sized(3, 10))
  })

  test('has met what it is about: settlements that failed, that an operator retried, and that were reversed', () => {
    const { failures, retried, reversed } = report.disturbed
    expect(Object.keys(failures).length).toBeGreaterThan(sized(0, 1))
    expect(retried).toBeGreaterThanOrEqual(sized(0, 1))
    expect(reversed).toBeGreaterThanOrEqual(sized(0, 1))
    expect(Object.keys(report.kills_by).length).toBeGreaterThan(sized(1, 2))
    expect(report.disturbed.laid_out).toBeGreaterThanOrEqual(sized(0, 1))
  })
})

describe('the plan of a day', () => {
  const script = dayScript(createRandom(1, 'day'), 240)

  test('is the choice of its seed', () => {
    expect(dayScript(createRandom(1, 'day'), 240)).toEqual(script)
    expect(dayScript(createRandom(2, 'day'), 240)).not.toEqual(script)
    expect(script.filter(({ kind }) => kind === 'order')).toHaveLength(240)
  })

  test('has kills of every kind, most of them while something is settled or resolved', () => {
    const plan = planDayKills(createRandom(1, 'kills'), 50, script)
    expect(new Set(plan.map(({ kill }) => kill.target)).size).toBe(5)
    expect(plan.filter(({ before_step }) => !isOfMany(script[before_step]!)).length).toBeGreaterThan(20)
  })
})

test('the lane sees a day that ended otherwise: a line that is missing, found, or there twice', () => {
  const outcome = { balances: ['a', 'a', 'b'], positions: [], settlements: ['s'], orders: [], markets: [] }
  expect(differencesOf(outcome, outcome)).toEqual([])
  expect(differencesOf(outcome, { ...outcome, balances: ['b', 'a'] })).toEqual(['balances: missing a'])
  expect(differencesOf(outcome, { ...outcome, settlements: ['t'] })).toEqual([
    'settlements: missing s',
    'settlements: found t',
  ])
})
