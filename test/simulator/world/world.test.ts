import { expect, test } from 'vitest'
import { createBookWorld } from '../../../simulator/world/book-world.ts'
import { createLatent } from '../../../simulator/world/latent.ts'
import type { BookMarket } from '../../../simulator/world/market-state.ts'
import { endOf, VENUES } from '../../../simulator/world/options.ts'
import { planWorld } from '../../../simulator/world/plan.ts'
import { createPoolWorld, QUADRILLION } from '../../../simulator/world/pool-world.ts'
import type { World } from '../../../simulator/world/timeline.ts'
import { MINUTE, SECOND, SMALL, smallVenue } from '../support/small-world.ts'

/** Everything that happens, as text. */
function storyOf(world: World): string {
  const lines: string[] = []
  for (let batch = world.advance(); batch !== null; batch = world.advance()) lines.push(JSON.stringify(batch))
  return lines.join('\n')
}

test.each(VENUES)('%s: the same options give the same world, another seed another one', (venue_id) => {
  const [first, again, other] = ['small', 'small', 'other'].map((seed) =>
    storyOf(smallVenue(venue_id, { seed, interval: 2 * MINUTE }).world),
  )
  expect(again === first).toBe(true)
  expect(other === first).toBe(false)
})

test.each(VENUES)('%s: events come in time order, within their batch and within the world', (venue_id) => {
  const { world } = smallVenue(venue_id)
  const times = [SMALL.start]
  for (let batch = world.advance(); batch !== null; batch = world.advance()) {
    times.push(...batch.events.map(({ at }) => at), batch.at)
  }
  expect(times.filter((at, place) => place > 0 && at < times[place - 1]!)).toEqual([])
  expect(times.length).toBeGreaterThan(10_000)
  expect(times.at(-1)!).toBeLessThan(endOf(SMALL))
})

test.each(VENUES)('%s: nextAt tells when the next batch will be, and does not change it', (venue_id) => {
  const { world } = smallVenue(venue_id)
  for (let n = 0; n < 500; n += 1) {
    const next = world.nextAt()
    expect(world.nextAt()).toBe(next)
    expect(world.advance()?.at).toBe(next)
  }
})

test('every event has one of its kinds and fates, and markets are as many as were asked for', () => {
  const plan = planWorld({ ...SMALL, markets: 40 })
  expect(plan.markets.map(({ ordinal }) => ordinal)).toEqual(Array.from({ length: 40 }, (_, n) => n))
  expect(new Set(plan.events.map(({ kind }) => kind))).toEqual(new Set(['binary', 'multi', 'nested']))
  expect(new Set(plan.events.map(({ fate }) => fate))).toEqual(
    new Set(['open', 'resolved', 'overturned', 'upheld', 'voided']),
  )
})

test('a world of any number of markets has exactly that many', () => {
  for (let markets = 1; markets <= 25; markets += 1) {
    expect(planWorld({ ...SMALL, markets }).markets).toHaveLength(markets)
  }
})

test('a venue does not move another one: what is likely is the same for all of them', () => {
  const plan = planWorld(SMALL)
  const [a, b] = [createLatent(plan), createLatent(plan)]
  createBookWorld(plan, 'kalshi')
  for (let at = SMALL.start; at < SMALL.start + 60 * MINUTE; at += SMALL.interval) {
    a.advance(at)
    b.advance(at)
    for (const { ordinal } of plan.markets) expect(a.probability(ordinal)).toBe(b.probability(ordinal))
  }
})

test('one of several answers: probabilities sum to 1; nested dates: the later one is never less likely', () => {
  const plan = planWorld({ ...SMALL, markets: 40 })
  const latent = createLatent(plan)
  for (let at = SMALL.start; at < endOf(SMALL); at += 10 * MINUTE) {
    latent.advance(at)
    for (const { kind, markets } of plan.events) {
      const chances = markets.map(({ ordinal }) => latent.probability(ordinal))
      const sum = chances.reduce((total, one) => total + one, 0)
      if (kind === 'multi') expect(1_000_000 - sum).toBeLessThanOrEqual(markets.length)
      if (kind === 'nested') expect(chances[0]!).toBeLessThanOrEqual(chances[1]!)
    }
  }
})

test('news moves the events that it names at its instant, and no other', () => {
  const plan = planWorld({ ...SMALL, markets: 40 })
  const shock = plan.shocks.find(({ at }) => at < SMALL.start + 9 * 3_600 * SECOND)!
  const [calm, shaken] = [createLatent({ ...plan, shocks: [] }), createLatent({ ...plan, shocks: [shock] })]
  const step = shock.at - ((shock.at - SMALL.start) % SMALL.interval)
  const moved = (at: number) => {
    calm.advance(at)
    shaken.advance(at)
    return plan.events
      .filter(({ markets }) => calm.probability(markets[0]!.ordinal) !== shaken.probability(markets[0]!.ordinal))
      .map(({ ordinal }) => ordinal)
  }
  for (let at = SMALL.start; at < step; at += SMALL.interval) expect(moved(at)).toEqual([])
  const named = shock.pushes.map(({ event }) => event).sort((a, b) => a - b)
  expect(moved(step + SMALL.interval)).toEqual(named)
})

test('prices follow what is likely', () => {
  const plan = planWorld(SMALL)
  const world = createBookWorld(plan, 'polymarket')
  const latent = createLatent(plan)
  for (let at = SMALL.start; at < SMALL.start + 360 * MINUTE; at += SMALL.interval) latent.advance(at)
  while ((world.nextAt() ?? Number.POSITIVE_INFINITY) < SMALL.start + 360 * MINUTE) world.advance()
  const open = world.markets.filter(({ stage }) => stage === 'open')
  expect(open.length).toBeGreaterThan(6)
  for (const market of open) {
    const { bids, asks } = (market as BookMarket).ladder
    const middle = ((bids[0]?.price ?? 0) + (asks[0]?.price ?? 10_000)) * 50
    expect(Math.abs(middle - latent.probability(market.plan.ordinal))).toBeLessThan(60_000)
  }
})

test('answers of one question sum to 1 in a pool, to the last digit', () => {
  const plan = planWorld(SMALL)
  const world = createPoolWorld(plan)
  const multi = plan.events.filter(({ kind }) => kind === 'multi')
  const sums = new Set<number>()
  for (let batch = world.advance(); batch !== null; batch = world.advance()) {
    for (const { markets } of multi) {
      sums.add(markets.reduce((total, { ordinal }) => total + world.markets[ordinal]!.probability, 0))
    }
  }
  expect([...sums]).toEqual([QUADRILLION])
})

test('an option out of its range is refused by one sentence', () => {
  const refused = (changes: object) => () => planWorld({ ...SMALL, ...changes })
  expect(refused({ days: 0 })).toThrow('days is 0; allowed: 1 to 3660')
  expect(refused({ markets: 5_001 })).toThrow('markets is 5001; allowed: 1 to 5000')
  expect(refused({ interval: 7 * SECOND })).toThrow('interval is PT7S; allowed: a duration of whole seconds')
  expect(refused({ interval: SECOND / 2 })).toThrow('interval is PT0.5S')
  expect(refused({ seed: '' })).toThrow('seed is ""; allowed: a text of at least one character')
})
