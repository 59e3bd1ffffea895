import {
  dayMicros,
  formatMicros,
  MICROS_PER_DAY,
  MICROS_PER_SECOND,
  type Micros,
  utcDay,
} from '../../primitives/instants.ts'
import { fromScaled } from '../../primitives/scaled.ts'
import { VALUE_COLUMNS } from '../venues/forecastbench.ts'
import { createRandom, type Random } from './random.ts'
import { SAMPLE, type SampleMarket, sampleMarkets } from './sample-markets.ts'

/** The two files of a sample archive in the ForecastBench format, uncompressed. */
export type SampleArchive = { readonly values_csv: string; readonly questions_jsonl: string }

/** A value becomes public with the first publication of its set after its day. */
type Row = {
  readonly day: Micros
  readonly published_at: Micros
  readonly set: string
  readonly market: SampleMarket
  readonly value: string
  readonly resolved: boolean
  readonly change: 'new' | 'revised'
}

const FIRST_DAY = dayMicros(SAMPLE.first_day)!
const HOUR = 3600 * MICROS_PER_SECOND

/**
 * A small archive made from a seed alone: daily values of invented markets with publication days that are missing now and
 * then, values revised later, markets that resolve and one payout corrected a day after. Pure: the same seed gives the
 * same bytes on every machine.
 * @param seed a whole number; its lower 32 bits count
 */
export function makeSampleFiles(seed: number): SampleArchive {
  const random = createRandom(seed)
  const markets = sampleMarkets(random)
  const publications = new Map(SAMPLE.question_sets.map((set) => [set as string, publicationsOf(random)]))
  const rows = markets.flatMap((market) =>
    market.sets.flatMap((set) => marketRows(market, set, publications.get(set)!, random)),
  )
  const sorted = rows.map((row, place) => ({ row, place }))
  sorted.sort((a, b) => a.row.published_at - b.row.published_at || a.place - b.place)
  const commits = new Map<Micros, string>()
  const lines = sorted.map(({ row }) => valueLine(row, commitOf(commits, row.published_at, random)))
  return {
    values_csv: [VALUE_COLUMNS.join(), ...lines, ''].join('\n'),
    questions_jsonl: questionLines(markets, random).join(''),
  }
}

/** Instants at which a set is published: about 02:00 after each day, one day in twelve left out, never the last. */
function publicationsOf(random: Random): Micros[] {
  const nights = Array.from({ length: SAMPLE.days + 2 }, (_, night) => night + 1)
  const kept = nights.filter((night) => night >= SAMPLE.days || !random.chance(833))
  return kept.map((night) => FIRST_DAY + night * MICROS_PER_DAY + 2 * HOUR + random.int(1800) * MICROS_PER_SECOND)
}

function marketRows(market: SampleMarket, set: string, publications: readonly Micros[], random: Random): Row[] {
  const rows: Row[] = []
  const publish = (day_number: number, late: number, value: string, resolved: boolean) => {
    const day = FIRST_DAY + day_number * MICROS_PER_DAY
    const due = publications.findIndex((at) => at >= day + MICROS_PER_DAY)
    const published_at = publications[Math.min(due + late, publications.length - 1)]!
    const change = late === 0 ? 'new' : 'revised'
    rows.push({ day, published_at, set, market, value, resolved, change })
  }
  market.prices.forEach((price, day_number) => {
    publish(day_number, 0, priceText(price, random), false)
    if (random.chance(60) && day_number < SAMPLE.days - 5) publish(day_number, 1, priceText(price + 1, random), false)
  })
  if (market.resolved_on !== null) {
    const payout = `${market.payout}.0`
    publish(market.resolved_on, 0, market.misreported ? `${1 - market.payout}.0` : payout, true)
    if (market.misreported) publish(market.resolved_on, 2, payout, true)
  }
  return rows
}

/** Some values carry the noise of a binary fraction, as sources that count in floating point print them. */
function priceText(price: number, random: Random): string {
  const text = fromScaled(BigInt(price), 4).replace(/0+$/, '')
  return random.chance(500) ? `${text.padEnd(6, '0')}0000000000${1 + random.int(9)}` : text
}

function valueLine({ day, published_at, set, market, value, resolved, change }: Row, commit: string): string {
  const flag = resolved ? 'True' : 'False'
  return [set, commit, offsetInstant(published_at), market.venue, market.id, utcDay(day), value, flag, change].join()
}

function questionLines(markets: readonly SampleMarket[], random: Random): string[] {
  return SAMPLE.question_sets.flatMap((set) => {
    const commit = random.hex(12)
    const committed_at = offsetInstant(dayMicros(set)! + 300 * MICROS_PER_SECOND)
    return markets
      .filter(({ sets }) => sets.includes(set))
      .map((market) => `${JSON.stringify(questionOf(market, set, commit, committed_at))}\n`)
  })
}

function questionOf({ id, venue, question }: SampleMarket, question_set: string, commit: string, committed_at: string) {
  return {
    question_set,
    commit,
    committed_at,
    id,
    source: venue,
    question,
    resolution_criteria: `Resolves to the outcome that ${venue} reports. The market is invented.`,
    background: 'N/A',
    market_info_open_datetime: '2025-06-01',
    market_info_close_datetime: '2025-10-01T00:00:00+00:00',
    market_info_resolution_criteria: 'N/A',
    url: 'N/A',
  }
}

function commitOf(commits: Map<Micros, string>, at: Micros, random: Random): string {
  const commit = commits.get(at) ?? random.hex(12)
  commits.set(at, commit)
  return commit
}

function offsetInstant(micros: Micros): string {
  return formatMicros(micros).replace('Z', '+00:00')
}
