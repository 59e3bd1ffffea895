import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { OWN_TABLES, OwnFeed } from '../../../api/own-venue/own-feed.ts'
import { ownPriceOf } from '../../../api/own-venue/own-resources.ts'
import type { OwnVenue } from '../../../api/own-venue/own-venue.ts'
import type { HubCommit } from '../../../api/stream/hub-feed.ts'
import { streamProjections } from '../../../api/stream/projections.ts'
import { streamOrigins } from '../../../api/stream/sources/stream-origins.ts'
import { formatMicros, type Micros, toMicros } from '../../../primitives/instants.ts'
import type { EngineEvent } from '../../../trading/engine/events.ts'
import { PublicMarkets } from '../../../trading/public-market/fold-events.ts'
import { NewestRows } from '../../../warehouse/reader/newest-rows.ts'
import type { FeedCommit, Reader } from '../../../warehouse/reader/reader.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { fakeReader } from '../../support/fake-reader.ts'
import { pick, seededRandom } from '../../support/random.ts'
import { sized } from '../../support/sized.ts'

const BEGIN = toMicros('2026-01-01T12:00:00Z')
const MILLI = 1000
const IDS = ['mkt_1', 'mkt_2', 'mkt_3']
const outcomesOf = (market_id: string) =>
  ['yes', 'no'].map((label) => ({ outcome_id: `out_${market_id}_${label}`, label }))
const LISTINGS = IDS.map((market_id) => {
  const terms = { price_scale: 2, quantity_scale: 2 }
  return { market_id, status: 'open', terms, outcomes: outcomesOf(market_id), created_at: BEGIN - 1 } as const
})
const CATALOG = LISTINGS.map(({ market_id, outcomes, status }): Row => {
  return { market_id, outcomes, status, outcome_type: 'binary', venue_mapping: { venue_id: 'tidemark' } }
})

type Batch = { readonly at: Micros; readonly events: readonly EngineEvent[] }
type Stored = { readonly table: 'market_mark' | 'market_quote'; readonly at: Micros; readonly rows: readonly Row[] }
type Heard = {
  readonly kind: 'own' | 'stored' | 'snapshot'
  readonly market_id: string
  readonly seq: number
  readonly prev_seq: number
  readonly published_at: string
  readonly data: Readonly<Record<string, unknown>>
}

beforeEach(() => {
  vi.useFakeTimers({ now: BEGIN / MILLI })
})
afterEach(() => {
  vi.useRealTimers()
})

/** An engine and a warehouse that commit, and a process whose memories follow both, each in its own time. */
class World {
  now: Micros = BEGIN
  readonly batches: Batch[] = []
  readonly stored: Stored[] = []
  readonly heard: Heard[] = []
  /** null: the reader is stale. */
  instant: Micros | null = BEGIN
  /** Called when memory has a commit, and before the reader has reached the end of its round. */
  onCommit: () => void = () => undefined
  readonly markets = new PublicMarkets()
  readonly origins: ReturnType<typeof streamOrigins>
  readonly #random: () => number
  readonly #marks = new NewestRows('market_mark')
  readonly #listeners = new Set<(commit: FeedCommit) => void>()
  readonly #feed = new OwnFeed(this.markets, () => this.now)
  readonly #waiting: Batch[] = []
  #head_at: Micros = BEGIN
  #sequence = 0
  #taken = 0

  constructor(random: () => number) {
    this.#random = random
    for (const listing of LISTINGS) this.markets.list(listing)
    this.#feed.begin('epoch')
    const reader = this.#reader()
    const ports = { reader, project: streamProjections(reader), own_venue: this.#venue() }
    this.origins = streamOrigins({
      ...ports,
      at: () => Math.min(this.now, this.instant ?? this.now),
      now: () => this.now,
    })
    this.origins.feed.subscribe((commit) => this.#hear(commit))
  }

  #reader(): Reader {
    const found = (market_id: string) => CATALOG.find((row) => row.market_id === market_id) ?? null
    const plain = fakeReader({ catalog: { market: found, markets: () => CATALOG } })
    const subscribe: Reader['feed']['subscribe'] = (listener) => {
      this.#listeners.add(listener)
      return () => this.#listeners.delete(listener)
    }
    const latest = { ...plain.latest, marks: (market_id: string) => this.#marks.group(market_id) }
    return { ...plain, instant: () => this.instant, latest, feed: { ...plain.feed, subscribe } }
  }

  #venue(): OwnVenue {
    const venue: Pick<OwnVenue, 'phase' | 'market' | 'markets' | 'confirmed_at' | 'published_at' | 'feed'> = {
      phase: () => 'ready',
      market: (market_id) => this.markets.market(market_id),
      markets: () => this.markets.all(),
      confirmed_at: () => this.now,
      published_at: () => this.#head_at,
      feed: this.#feed,
    }
    return venue as OwnVenue
  }

  pass(micros: number): void {
    this.now += micros
    const due_ms = Math.floor(this.now / MILLI) - Date.now()
    if (due_ms > 0) vi.advanceTimersByTime(due_ms)
  }

  commitBatch(): void {
    const [at, random] = [this.now, this.#random]
    const events = Array.from({ length: 1 + Math.floor(random() * 3) }, (): EngineEvent => {
      this.#sequence += 1
      const market_id = pick(IDS, random)
      const [side, price] = random() < 0.5 ? (['BUY', 40] as const) : (['SELL', 60] as const)
      const { outcome_id } = pick(outcomesOf(market_id), random)
      const level = { side, price, quantity: Math.floor(random() * 1000), order_count: 1 }
      return { kind: 'book', engine_sequence: this.#sequence, at, market_id, outcome_id, ...level }
    })
    this.batches.push({ at, events })
    this.#waiting.push({ at, events })
  }

  /** The engine's feed brings some of what was committed. */
  bringBatches(count = Number.POSITIVE_INFINITY): void {
    for (const { at, events } of this.#waiting.splice(0, count)) {
      this.#head_at = at
      this.#feed.take(this.markets.apply(at, events), true)
    }
  }

  /** Every third mark is of an older tick, and is not the newest. */
  commitMarks(): void {
    const [random, published_at] = [this.#random, formatMicros(this.now)]
    const rows = Array.from({ length: 1 + Math.floor(random() * 4) }, (): Row => {
      const market_id = pick(IDS, random)
      const { outcome_id } = pick(outcomesOf(market_id), random)
      const tick_at = formatMicros(this.now - (random() < 0.33 ? 60_000 : 1) * MILLI)
      const mark = `0.${100 + Math.floor(random() * 800)}`
      const mark_id = `mrk_${this.now}_${random()}`
      const of = { market_id, outcome_id, source_series_id: null, venue_id: 'tidemark', revision: 1 }
      const value = { mark_id, mark, implied_probability: mark, mark_rule: 'midpoint', source_observation_ids: [] }
      return { ...of, ...value, tick_at, methodology_id: 'mth_1', methodology_version: '1.0.0', published_at }
    })
    this.stored.push({ table: 'market_mark', at: this.now, rows })
  }

  commitQuote(): void {
    const published_at = formatMicros(this.now)
    const row = { market_id: pick(IDS, this.#random), venue_id: 'tidemark', published_at }
    this.stored.push({ table: 'market_quote', at: this.now, rows: [row] })
  }

  /** A round of the reader (warehouse/reader/rounds.ts); batches arrive between its commits. */
  read(): void {
    const through = this.now
    while (this.#taken < this.stored.length) {
      const { table, at, rows } = this.stored[this.#taken]!
      this.#taken += 1
      const placed = rows.map((row, ordinal) => {
        const seq = this.#taken * 2 ** 20 + ordinal
        const previous = table === 'market_mark' ? this.#marks.add(row, seq) : null
        return { row, seq, prev_seq: 0, previous: previous && { row: previous.row, seq: previous.seq } }
      })
      const commit: FeedCommit = { table, version: this.#taken, epoch: 'epoch', rows: placed }
      for (const listener of this.#listeners) listener(commit)
      this.onCommit()
      if (this.instant !== null) this.instant = Math.max(this.instant, at)
      if (this.#random() < 0.5) this.bringBatches(1)
    }
    this.instant = through
  }

  /** The marks of a market as REST answers now: memory's, unless one is of after the last batch; then those of the warehouse. */
  restMarks(market_id: string): readonly Row[] {
    const rows = (marks: NewestRows) => marks.group(market_id).map(({ row }) => row)
    const newest = rows(this.#marks)
    if (newest.every((row) => toMicros(row.published_at) <= this.#head_at)) return newest
    const then = new NewestRows('market_mark')
    const visible = this.stored.filter(({ table, at }) => table === 'market_mark' && at <= this.#head_at)
    for (const row of visible.flatMap((commit) => commit.rows)) then.add(row, 0)
    return rows(then)
  }

  /** A snapshot of a market, and the price view that REST answers at the same moment, with the same labels. */
  askBoth(market_id: string): { readonly snapshot: Heard; readonly rest: object } {
    const [state] = this.origins.sourceOf('market.ticker', [market_id]).statesOf([market_id])
    const at = Math.min(this.now, this.instant ?? this.now)
    const rest = ownPriceOf(this.markets.market(market_id)!, this.restMarks(market_id), this.now, at).price
    return { snapshot: heardOf('snapshot', { prev_seq: [], ...state! }), rest }
  }

  /** A client subscribes: what it is sent, and the seq that its subscription begins at. */
  askStates(): { readonly head: number; readonly states: readonly Heard[] } {
    const keys = [[], ...IDS.map((market_id) => [market_id])]
    const states = keys.map((key) => {
      return this.origins
        .sourceOf('market.ticker', key)
        .statesOf(key)
        .map((state) => heardOf('snapshot', { prev_seq: [], ...state }))
    })
    this.heard.push(...states.flat())
    return { head: this.origins.feed.head(OWN_TABLES.tickers), states: states.slice(1).flat() }
  }

  #hear(commit: HubCommit): void {
    const kind = commit.table === OWN_TABLES.tickers ? 'own' : 'stored'
    for (const source of this.origins.sources) {
      if (source.topic.topic !== 'market.ticker' || (source.table ?? source.topic.table) !== commit.table) continue
      this.heard.push(...source.eventsOf(commit, 0, () => true).map((event) => heardOf(kind, event)))
    }
  }
}

type Sent = Pick<Heard, 'seq' | 'published_at'> & {
  readonly key: readonly string[]
  readonly prev_seq: readonly number[]
  readonly data: () => Buffer | null
}

function heardOf(kind: Heard['kind'], { key, seq, prev_seq, published_at, data }: Sent): Heard {
  return { kind, market_id: key[0]!, seq, prev_seq: prev_seq[1] ?? 0, published_at, data: JSON.parse(String(data())) }
}

/**
 * Compares every message with what REST asks of the whole history: the market after the last batch by an instant, and the marks
 * published by it. The history is folded once, in the order of the instants.
 */
function expectRest({ batches, stored, heard }: World): void {
  const [markets, marks] = [new PublicMarkets(), new NewestRows('market_mark')]
  for (const listing of LISTINGS) markets.list(listing)
  const commits = stored.filter(({ table }) => table === 'market_mark')
  let [batch, commit] = [0, 0]
  for (const message of [...heard].sort((a, b) => (a.published_at < b.published_at ? -1 : 1))) {
    const at = toMicros(message.published_at)
    for (; batch < batches.length && batches[batch]!.at <= at; batch += 1)
      markets.apply(batches[batch]!.at, batches[batch]!.events)
    for (; commit < commits.length && commits[commit]!.at <= at; commit += 1)
      for (const row of commits[commit]!.rows) marks.add(row, 0)
    const rows = marks.group(message.market_id).map(({ row }) => row)
    const rest = ownPriceOf(markets.market(message.market_id)!, rows, at, at).price
    expect({ ...message, data: JSON.stringify(message.data) }).toEqual({ ...message, data: JSON.stringify(rest) })
  }
}

test.each(Array.from({ length: sized(2, 300) }, (_, nth) => nth))(
  'world %i: every ticker is what REST answers as of its published_at',
  (seed) => {
    const random = seededRandom(seed)
    const world = new World(random)
    const asked: { readonly head: number; readonly from: number }[] = []
    // Some worlds read rarely, and some have an engine whose batches arrive late.
    const [read_share, bring_share] = [pick([0.02, 0.1, 0.3], random), pick([0.05, 0.3, 0.6], random)]
    for (let step = 0; step < 400; step += 1) {
      world.pass(1 + Math.floor(random() * pick([200, 20_000, 60_000], random)))
      const act = pick(['batch', 'batch', 'marks', 'quote', 'ask'] as const, random)
      if (act === 'batch') world.commitBatch()
      else if (act === 'marks') world.commitMarks()
      else if (act === 'quote') world.commitQuote()
      else {
        const { head, states } = world.askStates()
        asked.push({ head, from: world.heard.length })
        for (const { seq } of states) expect(seq).toBeLessThanOrEqual(head)
      }
      if (random() < bring_share) world.bringBatches(1 + Math.floor(random() * 3))
      if (random() < read_share) world.read()
    }
    world.bringBatches()
    world.read()
    world.pass(50 * MILLI)
    expectRest(world)
    const own = world.heard.filter(({ kind }) => kind === 'own')
    for (const market_id of IDS) {
      const seqs = own.filter((one) => one.market_id === market_id).map(({ seq }) => seq)
      expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b))
      expect(seqs.at(-1)).toBe(world.markets.market(market_id)!.sequence)
    }
    // Nothing of before a subscription's seq follows it: the server would drop it.
    for (const { head, from } of asked)
      for (const { kind, seq } of world.heard.slice(from)) if (kind === 'own') expect(seq).toBeGreaterThan(head)
    expect(own.length).toBeGreaterThan(20)
    expect(world.heard.filter(({ kind }) => kind === 'stored').length).toBeGreaterThan(20)
  },
)

test.each(Array.from({ length: sized(2, 300) }, (_, nth) => nth))(
  'world %i: a snapshot around a tick has the marks that REST answers at the same moment',
  (seed) => {
    const random = seededRandom(1_000 + seed)
    const world = new World(random)
    let [compared, waiting] = [0, 0]
    const compare = () => {
      for (const market_id of IDS) {
        const { snapshot, rest } = world.askBoth(market_id)
        // A batch that waits for the reader is in REST already; its ticker follows.
        if (snapshot.seq !== world.markets.market(market_id)!.sequence) waiting += 1
        else {
          compared += 1
          expect(JSON.stringify(snapshot.data)).toBe(JSON.stringify(rest))
        }
      }
    }
    world.onCommit = compare
    const bring_share = pick([0.3, 0.6, 0.9], random)
    for (let step = 0; step < 300; step += 1) {
      world.pass(1 + Math.floor(random() * 20_000))
      if (random() < 0.3) world.commitBatch()
      if (random() < 0.3) world.commitMarks()
      if (random() < 0.1) world.commitQuote()
      if (random() < bring_share) world.bringBatches()
      compare()
      if (random() < 0.3) world.read()
      compare()
    }
    expect(Math.min(compared, waiting)).toBeGreaterThan(50)
  },
)

test('a ticker waits for the reader; those that become due together are one, with the numbers of the last', () => {
  const world = new World(seededRandom(1))
  for (let batch = 0; batch < 12; batch += 1) {
    world.pass(5 * MILLI)
    world.commitBatch()
    world.bringBatches()
  }
  expect(world.heard).toEqual([])
  world.pass(MILLI)
  world.commitMarks()
  world.read()
  expect(world.heard.map(({ market_id }) => market_id).sort()).toEqual(IDS)
  for (const { market_id, seq, prev_seq } of world.heard) {
    const touched = world.batches.map(({ events }) => {
      return Math.max(
        ...events.map((event) => ('market_id' in event && event.market_id === market_id ? event.engine_sequence : 0)),
      )
    })
    expect([prev_seq, seq]).toEqual(touched.filter((sequence) => sequence > 0).slice(-2))
  }
  expectRest(world)
  world.pass(50 * MILLI)
  expect(vi.getTimerCount()).toBe(0)
})

test('while the warehouse cannot be read a ticker waits for ten seconds, no longer', () => {
  const world = new World(seededRandom(2))
  world.pass(MILLI)
  world.instant = null
  world.commitBatch()
  world.bringBatches()
  world.pass(9_990 * MILLI)
  expect(world.heard).toEqual([])
  world.pass(50 * MILLI)
  expect(world.heard.length).toBeGreaterThan(0)
})
