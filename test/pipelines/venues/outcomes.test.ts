import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openPayloadArchive } from '../../../connectors/archives/payloads/open-payload-archive.ts'
import { type PayloadKind, venuesOfKind } from '../../../connectors/archives/payloads/payload-kinds.ts'
import { IGNORE_RULES, isIgnored, REDACTION_RULES } from '../../../pipelines/venues/outcomes.ts'
import type { VenuePayload, VenueRecords } from '../../../pipelines/venues/record.ts'
import { CLOCK_AHEAD_MAX } from '../../../pipelines/venues/source-times.ts'
import { VENUE_READERS } from '../../../pipelines/venues/venue-readers.ts'
import { mutatePayload } from '../../support/mutate-payload.ts'
import { seededRandom } from '../../support/random.ts'
import { recordedData } from '../../support/recorded-data.ts'
import { SEED } from '../../support/seed.ts'
import { sized } from '../../support/sized.ts'
import { ROOT } from '../../support/source-files.ts'
import { NOW } from '../../support/venue-payload.ts'

const FOLDERS = {
  kalshi: 'kalshi_v2_recorded',
  manifold: 'manifold_docs',
  predictit: 'predictit_api',
  betfair: 'betfair_stream',
  gdacs: 'gdacs_rss',
  usgs: 'usgs_geojson',
} as const
type Kind = keyof typeof FOLDERS
const KINDS = Object.keys(FOLDERS) as Kind[]

const read = new Map<Kind, Promise<VenuePayload[]>>()
function payloadsOf(kind: Kind): Promise<VenuePayload[]> {
  const payloads = read.get(kind) ?? readPayloads(kind)
  read.set(kind, payloads)
  return payloads
}

/** The fast lane leaves out the largest stream, which import-recorded.test.ts counts in both lanes. */
const isRead = ({ file }: VenuePayload) => sized(!file.startsWith('1.200806927'), true)

async function readPayloads(kind: Kind): Promise<VenuePayload[]> {
  const archive = await openPayloadArchive(kind as PayloadKind, recordedData(FOLDERS[kind]), NOW)
  const payloads: VenuePayload[] = []
  for await (const batch of archive.batches()) payloads.push(...batch.payloads.filter(isRead))
  return payloads
}

/** Lists whose every element, or every element of its elements, is a record; counted without the readers. */
const LISTS: Readonly<Record<Kind, (document: never) => number>> = {
  kalshi: kalshiRecords,
  manifold: (body: object) => (Array.isArray(body) ? body.length : 'question' in body ? 1 : Object.keys(body).length),
  predictit: ({ contracts }: { contracts: unknown[] }) => contracts.length,
  betfair: (body: { mc?: unknown[]; marketId?: string } | unknown[]) =>
    Array.isArray(body) ? body.length : Math.max(body.mc?.length ?? 1, 1),
  gdacs: () => 0,
  usgs: ({ features }: { features: unknown[] }) => features.length,
}

type KalshiBody = Readonly<Record<string, unknown>>
function kalshiRecords(body: KalshiBody): number {
  const lengthOf = (value: unknown) => (Array.isArray(value) ? value.length : 0)
  const nested = (list: unknown, field: string) =>
    ((list ?? []) as KalshiBody[]).reduce((sum, item) => sum + Math.max(lengthOf(item[field]), 1), 0)
  if (body.events !== undefined) return nested(body.events, 'markets') + lengthOf(body.milestones)
  if (body.event !== undefined) {
    return Math.max(lengthOf((body.event as KalshiBody).markets), lengthOf(body.markets), 1)
  }
  if (body.market_candlesticks !== undefined) {
    return (body.market_candlesticks as unknown[][]).reduce((sum, candles) => sum + Math.max(candles.length, 1), 0)
  }
  const first = (body.markets as KalshiBody[] | undefined)?.[0]
  if (first?.candlesticks !== undefined) return nested(body.markets, 'candlesticks')
  const list = [body.markets, body.trades, body.candlesticks, body.series].find((value) => Array.isArray(value))
  return Math.max(lengthOf(list), 1)
}

function recordsIn(kind: Kind, { text }: VenuePayload): number {
  if (kind === 'gdacs') return text.split('<item>').length - 1
  return LISTS[kind](JSON.parse(text) as never)
}

/** Every record of the lists names a record of the payload that was taken, and none that gave nothing was. */
function expectWhole(records: VenueRecords, file: string): void {
  const { outcomes = [], changed: _changed, zeros: _zeros, quarantine = [], ...lists } = records
  expect(outcomes.length).toBeGreaterThan(0)
  for (const outcome of outcomes) {
    if (!['taken', 'repeated', 'redacted', 'quarantined'].includes(outcome) && !isIgnored(outcome)) expect.fail(outcome)
  }
  const giving = new Set(
    Object.values(lists)
      .flat()
      .filter((record) => record.file === file)
      .map(({ line }) => line),
  )
  for (const line of giving) {
    if (!['taken', 'quarantined'].includes(outcomes[line - 1] ?? '')) expect.fail(`${line}: ${outcomes[line - 1]}`)
  }
  for (const { file: at, line } of quarantine) {
    if (at === file && outcomes[line - 1] !== 'quarantined') expect.fail(`${line} is ${outcomes[line - 1]}`)
  }
}

describe('every record read has exactly one outcome', () => {
  test.each(KINDS)('%s: as many as the recordings hold, counted without the reader', async (kind) => {
    const reader = VENUE_READERS[kind].create_reader(NOW)
    for (const payload of await payloadsOf(kind)) {
      const records = reader.read(payload)
      expect(records.outcomes?.length, `${payload.file} ${payload.endpoint}`).toBe(recordsIn(kind, payload))
      expect(records.quarantine).toBeUndefined()
    }
  })

  const CASES = sized(50, 5_000)
  test.each(KINDS)(`property, %s: ${CASES} mutated payloads are counted too`, async (kind) => {
    const random = seededRandom(SEED)
    const payloads = await payloadsOf(kind)
    const reader = VENUE_READERS[kind].create_reader(NOW)
    for (let n = 0; n < CASES; n += 1) {
      const original = payloads[Math.floor(random() * payloads.length)]!
      if (original.text.length > 200_000) continue
      const payload = { ...original, file: `${n}.json`, text: mutatePayload(original.text, random) }
      expectWhole(reader.read(payload), payload.file)
    }
  })

  test('a mode of archives has the venues of its name', () => {
    for (const kind of KINDS) expect(venuesOfKind(kind)).toEqual([kind])
  })
})

describe('docs/archives.md', () => {
  const page = readFileSync(join(ROOT, 'docs/archives.md'), 'utf8')
  const rows = (heading: string) => {
    const section = page.split(heading)[1]?.split(/\n##+ /)[0] ?? ''
    return [...section.matchAll(/^\| `(\w+)` \| (.*) \|$/gm)].map(([, name, text]) => [name, text])
  }

  test('lists the rules by which records are ignored, and no others', () => {
    expect(rows('## Why a record is ignored')).toEqual(Object.entries(IGNORE_RULES))
  })

  test('lists what is redacted, and nothing else', () => {
    expect(rows('## What is redacted')).toEqual(Object.entries(REDACTION_RULES))
  })

  test('lists how far the clock of each source may be ahead', () => {
    const stated = Object.entries(CLOCK_AHEAD_MAX).map(([venue, micros]) => [venue, `${micros / 1_000_000} s`])
    expect(rows('### Clocks that are ahead')).toEqual(stated)
  })
})
