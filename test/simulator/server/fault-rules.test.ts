import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createRuledFaults, type FaultRule, parseFaultRule, ruleText } from '../../../simulator/server/fault-rules.ts'
import { type FaultName, NAMED_FAULTS } from '../../../simulator/server/faults.ts'
import { VENUES } from '../../../simulator/world/options.ts'
import { refusal } from '../../support/refusal.ts'

const NAMES = Object.keys(NAMED_FAULTS) as FaultName[]

describe('a rule', () => {
  test('is read as it is written, whatever venue, side, name and share', () => {
    const rules = fc.record({
      venue_id: fc.constantFrom(null, ...VENUES),
      name: fc.constantFrom(...NAMES),
      side: fc.constant(null),
      of_million: fc.integer({ min: 0, max: 1_000_000 }),
    })
    fc.assert(
      fc.property(rules, (rule) => {
        expect(parseFaultRule(ruleText(rule))).toEqual(rule)
      }),
    )
    const rule: FaultRule = { venue_id: 'kalshi', side: 'ws', name: 'reset', of_million: 10_000 }
    expect(parseFaultRule('kalshi/ws/reset=0.01')).toEqual(rule)
    expect(ruleText(rule)).toBe('kalshi/ws/reset=0.01')
    expect(parseFaultRule('rest/500=1')).toMatchObject({ venue_id: null, side: 'rest', of_million: 1_000_000 })
  })

  test.each([
    ['slow=0.1', 'fault is "slow=0.1"; allowed: [VENUE/][rest/|ws/]NAME=SHARE'],
    ['500=1.5', 'SHARE from 0 to 1'],
    ['500=30%', 'SHARE from 0 to 1'],
    ['500', 'SHARE from 0 to 1'],
    ['500=-0.1', 'SHARE from 0 to 1'],
    ['500=0.3=0.3', 'SHARE from 0 to 1'],
    ['betfair/500=0.3', 'VENUE polymarket, kalshi, manifold'],
    ['ws/kalshi/reset=0.3', 'NAME 429, 500, 503'],
    ['rest/drop=0.3', 'fault is "rest/drop=0.3"; allowed: drop on ws alone'],
  ])('%s is refused with what is allowed', (text, sentence) => {
    expect(refusal('VALIDATION_USAGE_INVALID', () => parseFaultRule(text)).message).toContain(sentence)
  })

  test('every name is in the documentation', () => {
    const page = readFileSync('docs/simulator.md', 'utf8')
    for (const name of NAMES) expect(page).toContain(`| \`${name}\` |`)
  })
})

describe('faults by rules', () => {
  const faults = (rules: readonly string[], seed = 's') =>
    createRuledFaults({ venue_id: 'kalshi', rules: rules.map(parseFaultRule), seed, stall_ms: 5 })
  const drawn = (given: ReturnType<typeof faults>, count: number) =>
    Array.from({ length: count }, () => given.onAnswer('/markets')?.kind ?? null)

  test('hit their share, the same ones for the same seed, and count their hits', () => {
    const [one, again, other] = [faults(['500=0.3', 'stall=0.05']), faults(['500=0.3', 'stall=0.05'])].concat(
      faults(['500=0.3', 'stall=0.05'], 't'),
    )
    const kinds = drawn(one!, 10_000)
    expect(drawn(again!, 10_000)).toEqual(kinds)
    expect(drawn(other!, 10_000)).not.toEqual(kinds)
    const [status, stall] = one!.counts().map(({ hits }) => hits)
    expect(status).toBe(kinds.filter((kind) => kind === 'status').length)
    expect(stall).toBe(kinds.filter((kind) => kind === 'stall').length)
    expect(status! / 10_000).toBeCloseTo(0.3, 1)
    expect(stall! / 10_000).toBeCloseTo(0.05 * 0.7, 1)
  })

  test('hit where they are meant: their venue, their side, what they can hit', () => {
    const never = faults(['manifold/500=1', 'ws/reset=1', 'drop=1'])
    expect(drawn(never, 10)).toEqual(Array.from({ length: 10 }, () => null))
    expect(never.onMessage()).toEqual({ kind: 'reset' })
    expect(never.onHandshake()).toEqual({ kind: 'reset' })
    const here = faults(['kalshi/rest/429=1', 'stall=1'])
    expect(here.onAnswer('/')).toEqual({ kind: 'rate_limit', retry_after_seconds: 1 })
    expect(here.onMessage()).toEqual({ kind: 'stall', wait_ms: 5 })
  })

  test('of another venue are refused, and change nothing: another port serves it', () => {
    const given = faults(['500=1'])
    expect(() => given.replace([parseFaultRule('503=1'), parseFaultRule('manifold/500=0.5')])).toThrow(
      'fault is "manifold/500=0.5"; allowed: rules of kalshi, which this port serves; each venue has a port of its own',
    )
    expect(given.counts()).toEqual([{ fault: '500=1', hits: 0 }])
  })

  test('can be replaced while they are in use', () => {
    const given = faults(['500=1'])
    expect(given.onAnswer('/')).toMatchObject({ kind: 'status' })
    given.replace([])
    expect(given.onAnswer('/')).toBeNull()
    given.replace([parseFaultRule('reset=1')])
    expect(given.counts()).toEqual([{ fault: 'reset=1', hits: 0 }])
  })
})
