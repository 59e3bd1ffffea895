import { expect } from 'vitest'
import { QUARANTINE_REASONS } from '../../pipelines/venues/quarantine.ts'
import type { VenuePayload, VenueReader, VenueRecords } from '../../pipelines/venues/record.ts'
import { toMicros } from '../../primitives/instants.ts'
import { mutatePayload } from './mutate-payload.ts'
import { pick, seededRandom } from './random.ts'

/** Mutations that one reader gets: what it keeps of one may hurt the next. */
const CASES_PER_READER = 100

/** Number of cases that gave records, and of those refused in part or whole: a fuzz that always refuses tests nothing. */
export type FuzzCounts = { readonly read: number; readonly refused: number }

/**
 * Reads `cases` mutations of the payloads, by readers that first had the payloads unhurt, and asserts what holds for any
 * payload whatever: nothing is thrown, every reason is a known one, prices lie in [0, 1], times in the plausible range.
 * @param checkMore further assertions about the records of a mutated payload
 */
export function fuzzReader(
  payloads: readonly VenuePayload[],
  createReader: () => VenueReader,
  cases: number,
  seed: number,
  checkMore: (records: VenueRecords, payload: VenuePayload) => void = () => {},
): FuzzCounts {
  const random = seededRandom(seed)
  const counts = { read: 0, refused: 0 }
  let reader = createReader()
  for (let n = 0; n < cases; n += 1) {
    if (n % CASES_PER_READER === 0) {
      reader = createReader()
      for (const payload of payloads) reader.read(payload)
    }
    const original = pick(payloads, random)
    const payload = { ...original, text: mutatePayload(original.text, random) }
    try {
      const records = reader.read(payload)
      expectPossible(records)
      checkMore(records, payload)
      const { quarantine, outcomes, changed: _changed, ...rest } = records
      expect(outcomes?.length).not.toBe(0)
      if (quarantine !== undefined) counts.refused += 1
      if (Object.values(rest).some((list) => list.length > 0)) counts.read += 1
    } catch (error) {
      throw new Error(`case ${n} of seed ${seed}, ${payload.endpoint}: ${payload.text.slice(0, 4000)}`, {
        cause: error,
      })
    }
  }
  return counts
}

const FIRST = toMicros('2000-01-01T00:00:00Z')
const END = toMicros('2100-01-01T00:00:00Z')
const PRICE = /^(0\.\d{9}|1\.0{9})$/
const QUANTITY = /^(0|[1-9]\d{0,11})\.\d{6}$/
const DECIMAL = /^-?(0|[1-9]\d*)(\.\d+)?$/

function expectPossible(records: VenueRecords): void {
  for (const { reason } of records.quarantine ?? []) check(reason in QUARANTINE_REASONS, reason)
  for (const quote of records.quotes ?? []) {
    const { bid, ask, last_trade, bid_depth, ask_depth, last_trade_at, confirmed_at } = quote.book ?? NO_BOOK
    checkAll([quote.reported_probability, bid, ask, last_trade], PRICE)
    checkAll([bid_depth, ask_depth], QUANTITY)
    checkTimes(quote, [last_trade_at, confirmed_at])
  }
  for (const trade of records.trades ?? []) {
    checkAll([trade.price], PRICE)
    checkAll([trade.quantity], QUANTITY)
    check(trade.quantity !== '0.000000', 'a trade of nothing')
    checkTimes(trade)
  }
  for (const { payouts, ...resolution } of records.resolutions ?? []) {
    checkAll(
      payouts.map(({ payout }) => payout),
      PRICE,
    )
    checkTimes(resolution)
  }
  for (const reference of records.references ?? []) {
    const { opens_at, closes_at, expected_resolution_at } = reference
    checkTimes(reference)
    for (const time of [opens_at, closes_at, expected_resolution_at]) check(time === null || isPlausible(time), time)
  }
  for (const hazard of records.hazards ?? []) {
    const { severity_value, population_value, vulnerability_value, alert_score, longitude, latitude, depth_km } = hazard
    const values = [severity_value, population_value, vulnerability_value, alert_score, longitude, latitude, depth_km]
    checkAll([...values, ...Object.values(hazard.measures)], DECIMAL)
    checkTimes(hazard, [hazard.started_at, hazard.ended_at])
  }
}

const NO_BOOK = {
  bid: null,
  ask: null,
  last_trade: null,
  bid_depth: null,
  ask_depth: null,
  last_trade_at: null,
  confirmed_at: null,
}

function checkAll(values: readonly (string | null)[], pattern: RegExp): void {
  for (const value of values) check(value === null || pattern.test(value), value)
}

function checkTimes(
  record: { source_at: number; received_at: number },
  further: readonly (number | null)[] = [],
): void {
  for (const time of [record.source_at, ...further]) {
    check(time === null || (isPlausible(time) && time <= record.received_at), time)
  }
}

const isPlausible = (time: number) => Number.isSafeInteger(time) && time >= FIRST && time < END

/** Fails the test unless `holds`; cheaper than `expect` for a million checks. */
function check(holds: boolean, value: unknown): void {
  if (!holds) expect.fail(`${String(value)} cannot be`)
}
