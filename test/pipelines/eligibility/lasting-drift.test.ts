import '../../support/fast-check.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type DriftRecords, driftEnds, lastingDrifts } from '../../../pipelines/eligibility/lasting-drift.ts'
import { formatMicros, MICROS_PER_SECOND, type Micros, toMicros } from '../../../primitives/instants.ts'

const HOUR = 3_600 * MICROS_PER_SECOND
const T0 = toMicros('2026-03-01T00:00:00Z')
const hour = (n: number): Micros => T0 + n * HOUR
const at = (n: number) => formatMicros(hour(n))
const policy = { policy_id: 'pol_a', policy_version: 1 }
const member = (name: string) => ({ constituent_id: `con_${name}`, market_id: `mkt_${name}` })
const version = (id: string, published: number, effective: number, names = ['a', 'b']) => ({
  ...{ index_id: 'idx_a', index_version_id: id, ...policy, members: names.map(member) },
  ...{ published_at: at(published), effective_from: at(effective) },
})
const decision = (name: string, n: number, is_ineligible: boolean) => ({
  ...{ decision_id: `eld_${name}_${n}`, market_id: `mkt_${name}`, ...policy, is_ineligible, published_at: at(n) },
})
const rule = (n: number, drift_after: string | null) => ({ drift_after, published_at: at(n) })
const status = (n: number, name: string) => ({ index_id: 'idx_a', status: name, published_at: at(n) })

const BASE: DriftRecords = {
  rules: [rule(0, 'PT24H')],
  governed: [{ index_id: 'idx_a', since: at(0) }],
  statuses: [status(0, 'active')],
  versions: [version('idv_1', 0, 2)],
  decisions: [decision('a', 10, true)],
}
const shown = (records: DriftRecords, now: number) =>
  lastingDrifts(records, hour(now)).map((one) => [
    (one.at - T0) / HOUR,
    one.decision_ids.join(' '),
    one.removed.map(({ constituent_id }) => constituent_id).join(' '),
  ])

describe('drift', () => {
  test('has lasted after just the time of the policy, and is one drift however long it lasts', () => {
    expect(shown(BASE, 33.999)).toEqual([])
    expect(shown(BASE, 34)).toEqual([[34, 'eld_a_10', 'con_a']])
    expect(shown(BASE, 3400)).toEqual([[34, 'eld_a_10', 'con_a']])
    expect(lastingDrifts(BASE, hour(34))[0]).toMatchObject({ since: hour(10), drift_after: 'PT24H', ...policy })
  })

  test('that ends in time leads to nothing, and that begins again is another', () => {
    const ended = { ...BASE, decisions: [...BASE.decisions, decision('a', 34, false), decision('a', 40, true)] }
    expect(shown(ended, 63)).toEqual([])
    expect(shown(ended, 100)).toEqual([[64, 'eld_a_40', 'con_a']])
  })

  test('of another constituent is a drift of its own, whose draft removes both', () => {
    const two = { ...BASE, decisions: [...BASE.decisions, decision('b', 12, true)] }
    expect(shown(two, 100)).toEqual([
      [34, 'eld_a_10', 'con_a'],
      [36, 'eld_b_12', 'con_a con_b'],
    ])
    const together = { ...BASE, decisions: [...BASE.decisions, decision('b', 10, true)] }
    expect(shown(together, 100)).toEqual([[34, 'eld_a_10 eld_b_10', 'con_a con_b']])
  })

  test('of a market that was ineligible before counts from the start of the version', () => {
    expect(shown({ ...BASE, versions: [version('idv_1', 0, 12)] }, 100)).toEqual([[36, 'eld_a_10', 'con_a']])
  })

  test.each<[string, Partial<DriftRecords>]>([
    ['without a rule', { rules: [rule(0, null)] }],
    ['of an index that nobody governs', { governed: [] }],
    ['of a suspended index', { statuses: [status(0, 'active'), status(20, 'suspended')] }],
    ['of an archived index', { statuses: [status(0, 'active'), status(20, 'archived')] }],
    [
      'of a version whose successor is published',
      { versions: [version('idv_1', 0, 2), version('idv_2', 30, 90, ['b'])] },
    ],
    ['by another version of the policy', { decisions: [{ ...decision('a', 10, true), policy_version: 2 }] }],
    ['of a market that is no constituent', { decisions: [decision('c', 10, true)] }],
  ])('%s leads to nothing', (_name, part) => {
    expect(shown({ ...BASE, ...part }, 100)).toEqual([])
  })

  test('waits for the rule, for governance and for an index at rest', () => {
    expect(shown({ ...BASE, rules: [rule(0, null), rule(50, 'PT24H')] }, 100)).toEqual([[50, 'eld_a_10', 'con_a']])
    expect(shown({ ...BASE, rules: [rule(0, 'P9D'), rule(30, 'PT1H')] }, 100)).toEqual([[30, 'eld_a_10', 'con_a']])
    expect(shown({ ...BASE, governed: [{ index_id: 'idx_a', since: at(40) }] }, 100)).toEqual([
      [40, 'eld_a_10', 'con_a'],
    ])
    const rest = [status(0, 'active'), status(20, 'suspended'), status(60, 'active')]
    expect(shown({ ...BASE, statuses: rest }, 100)).toEqual([[60, 'eld_a_10', 'con_a']])
  })
})

describe('the end of a drift', () => {
  const ends = (records: DriftRecords, now: number) =>
    driftEnds(records, hour(now)).map((one) => [
      (one.at - T0) / HOUR,
      one.decision_ids.join(' '),
      one.accepted.map(({ constituent_id }) => constituent_id).join(' '),
      one.remaining.map(({ constituent_id }) => constituent_id).join(' '),
    ])

  test('is the decision that accepts the constituent again, if the drift had lasted', () => {
    const accepted = { ...BASE, decisions: [...BASE.decisions, decision('a', 50, false)] }
    expect(ends(accepted, 49.999)).toEqual([])
    expect(ends(accepted, 50)).toEqual([[50, 'eld_a_50', 'con_a', '']])
    expect(ends({ ...BASE, decisions: [...BASE.decisions, decision('a', 34, false)] }, 100)).toEqual([])
    expect(ends(BASE, 100)).toEqual([])
  })

  test('of one of two constituents leaves the other, in every drift whose draft removes it', () => {
    const decisions = [...BASE.decisions, decision('b', 12, true), decision('a', 50, false), decision('b', 60, false)]
    expect(ends({ ...BASE, decisions }, 100)).toEqual([
      [50, 'eld_a_50', 'con_a', ''],
      [50, 'eld_a_50', 'con_a', 'con_b'],
      [60, 'eld_b_60', 'con_b', ''],
    ])
  })

  test('is no successor of the version, and no decision after one', () => {
    const versions = [version('idv_1', 0, 2), version('idv_2', 40, 90, ['b'])]
    expect(ends({ ...BASE, versions, decisions: [...BASE.decisions, decision('a', 50, false)] }, 100)).toEqual([])
  })
})

describe('in any history', () => {
  const instants = fc.integer({ min: 0, max: 60 })
  const history = fc.record({
    rules: fc.uniqueArray(instants, { maxLength: 3 }),
    durations: fc.array(fc.constantFrom(null, 'PT0S', 'PT5H', 'PT24H'), { minLength: 3, maxLength: 3 }),
    statuses: fc.uniqueArray(instants, { maxLength: 3 }),
    governed: fc.option(instants),
    versions: fc.uniqueArray(instants, { minLength: 1, maxLength: 3 }),
    decisions: fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), instants, fc.boolean()), { maxLength: 14 }),
  })
  const sorted = (list: readonly number[]) => [...list].sort((a, b) => a - b)
  const recordsOf = (of: typeof history extends fc.Arbitrary<infer T> ? T : never): DriftRecords => ({
    rules: sorted(of.rules).map((n, i) => rule(n, of.durations[i]!)),
    governed: of.governed === null ? [] : [{ index_id: 'idx_a', since: at(of.governed) }],
    statuses: [status(0, 'active'), ...sorted(of.statuses).map((n, i) => status(n, i % 2 ? 'active' : 'suspended'))],
    versions: sorted(of.versions).map((n, i) => version(`idv_${i}`, n, n + i, i === 1 ? ['a', 'c'] : ['a', 'b'])),
    decisions: [...of.decisions].sort((x, y) => x[1] - y[1]).map((one) => decision(...one)),
  })
  const known = (records: DriftRecords, by: Micros): DriftRecords => {
    const early = <T extends { readonly published_at: string }>(list: readonly T[]) =>
      list.filter(({ published_at }) => toMicros(published_at) <= by)
    const governed = records.governed.filter(({ since }) => toMicros(since) <= by)
    const { rules, statuses, versions, decisions } = records
    return {
      rules: early(rules),
      governed,
      statuses: early(statuses),
      versions: early(versions),
      decisions: early(decisions),
    }
  }

  test('what was known at the instant of a drift decides it, and later records change none', () => {
    let seen = 0
    fc.assert(
      fc.property(history, (of) => {
        const records = recordsOf(of)
        const drifts = lastingDrifts(records, hour(100))
        seen += drifts.length
        for (const drift of drifts) {
          expect(lastingDrifts(known(records, drift.at), drift.at)).toContainEqual(drift)
          const before = lastingDrifts(known(records, drift.at - 1), drift.at - 1)
          expect(before).not.toContainEqual(drift)
        }
        const ids = drifts.map(({ index_version_id, decision_ids }) => `${index_version_id} ${decision_ids.join(' ')}`)
        expect(new Set(ids).size).toBe(ids.length)
        // Step by step each is found in the step of its instant: nothing is found late, nothing twice.
        const steps = Array.from({ length: 101 }, (_, n) => lastingDrifts(known(records, hour(n)), hour(n)))
        expect(steps.flat().filter(({ at: due }, _i, all) => all.some((one) => one.at === due))).toEqual(
          expect.arrayContaining([...drifts]),
        )
        expect(new Set(steps.flat().map((one) => JSON.stringify(one))).size).toBe(drifts.length)
      }),
      { numRuns: 150 },
    )
    expect(seen).toBeGreaterThan(20)
  })

  test('what was known at the instant of an end decides it, and the constituents were ineligible until just then', () => {
    let seen = 0
    fc.assert(
      fc.property(history, (of) => {
        const records = recordsOf(of)
        const ends = driftEnds(records, hour(100))
        seen += ends.length
        for (const one of ends) {
          expect(driftEnds(known(records, one.at), one.at)).toContainEqual(one)
          expect(lastingDrifts(records, hour(100))).toContainEqual(one.drift)
          const statusAt = (market_id: string, by: Micros) => {
            const own = records.decisions.filter((decided) => decided.market_id === market_id)
            return own.findLast(({ published_at }) => toMicros(published_at) <= by)?.is_ineligible
          }
          for (const { market_id } of [...one.accepted, ...one.remaining])
            expect(statusAt(market_id, one.at - 1)).toBe(true)
        }
        const keys = ends.map(
          ({ drift, decision_ids }) => `${drift.decision_ids} ${drift.index_version_id} ${decision_ids}`,
        )
        expect(new Set(keys).size).toBe(ends.length)
      }),
      { numRuns: 150 },
    )
    expect(seen).toBeGreaterThan(5)
  })

  test('every constituent of a draft was ineligible for the time of the rule, hour by hour', () => {
    fc.assert(
      fc.property(history, (of) => {
        const records = recordsOf(of)
        for (const { at: due, removed, drift_after, index_version_id } of lastingDrifts(records, hour(100))) {
          const start = toMicros(
            records.versions.find((one) => one.index_version_id === index_version_id)!.effective_from,
          )
          const hours = { PT0S: 0, PT5H: 5, PT24H: 24 }[drift_after]!
          const rules = records.rules.filter(({ published_at }) => toMicros(published_at) <= due)
          expect(rules.at(-1)!.drift_after).toBe(drift_after)
          for (const { market_id } of removed)
            for (let back = 0; back <= hours; back += 1) {
              const then = due - back * HOUR
              const own = records.decisions.filter((one) => one.market_id === market_id)
              expect(own.findLast((one) => toMicros(one.published_at) <= then)?.is_ineligible).toBe(true)
              expect(then).toBeGreaterThanOrEqual(start)
            }
        }
      }),
      { numRuns: 100 },
    )
  })
})
