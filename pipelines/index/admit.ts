import { roundDecimal, SCALE } from '../../primitives/decimal.ts'
import { MICROS_PER_DAY, type Micros } from '../../primitives/instants.ts'
import type { SettleFrom } from '../../vocabulary/index-level.ts'
import { fixingValue } from '../market/fixing.ts'
import { C_RULE, type Mark, markOfQuote } from '../market/mark.ts'
import type { OutcomeInput, Quote, Trade } from '../market/quote.ts'
import { admitLeg, isAdmitted, isLaterRow, type LegData, quoteAt } from './admission.ts'
import type { Parameters } from './parameters.ts'
import type { Admission } from './series.ts'
import type { Fixing, IndexSpec, IndexVersion, Leg } from './version.ts'

/** No bound on received_at: a correction admits every row with source_at <= cutoff that is known (methodology index-1 §3). */
export const LATE_DATA_GRACE: Micros = Number.MAX_SAFE_INTEGER / 4

/**
 * Creates the admission over loaded data: for each cutoff, in order, what methodology index-1 §3 admits.
 * @param grace_override a correction's unbounded grace; else each version's own
 */
export function admissionOf(data: ReadonlyMap<string, LegData>, grace_override?: Micros): Admission {
  const sweeps = new Map<string, (cutoff: Micros) => OutcomeInput>()
  const sweep = (leg: Leg, grace: Micros, settle_from: SettleFrom) => {
    const key = `${grace}\u001f${settle_from}\u001f${leg.key}`
    const known = sweeps.get(key) ?? admitLeg(data.get(leg.key)!, grace, settle_from)
    sweeps.set(key, known)
    return known
  }
  return (cutoff, version) => {
    const { parameters } = version.methodology
    const grace = grace_override ?? parameters.grace
    const admitted = { cutoff, outcome: (leg: Leg) => sweep(leg, grace, parameters.settle_from)(cutoff) }
    if (!isFixingTick(version, cutoff)) return admitted
    return {
      ...admitted,
      fixing: (leg) => fixingMark(data.get(leg.key)!, version.fixing!, cutoff, grace, parameters),
    }
  }
}

/** Returns whether a tick's time of day is the version's fixing time. */
export function isFixingTick(version: IndexVersion, cutoff: Micros): boolean {
  return version.fixing !== null && cutoff % MICROS_PER_DAY === version.fixing.at
}

/** Returns the fixing of one leg over the partitions that end at the cutoff (methodology index-1 §11); null = no fixing. */
export function fixingMark(data: LegData, fixing: Fixing, cutoff: Micros, grace: Micros, p: Parameters): Mark | null {
  return fixingOf(fixingRecords(data, Number.POSITIVE_INFINITY), fixing, cutoff, grace, p)
}

/** Returns the fixing records known by an instant. */
export function fixingRecords(data: LegData, known_at: Micros): FixingRecords {
  return {
    trades: data.trades.filter((trade) => (trade.known_at ?? trade.received_at) <= known_at),
    newestQuote: (source_to, known_to) => newestQuote(data, source_to, Math.min(known_to, known_at)),
  }
}

/** Returns the grace of an observation's admission: its version's, or unbounded for a correction, which admits late records. */
export function graceOf(revision: number, version: IndexVersion): Micros {
  return revision === 1 ? version.methodology.parameters.grace : LATE_DATA_GRACE
}

/** Records of a fixing: the trades of an outcome, and its newest quote with bounds on source time and on knowledge. */
export type FixingRecords = {
  readonly trades: readonly Trade[]
  readonly newestQuote: (source_to: Micros, known_to: Micros) => Quote | null
}

/** Computes a fixing from records of any source; null = no fixing. */
export function fixingOf(
  records: FixingRecords,
  fixing: Fixing,
  cutoff: Micros,
  grace: Micros,
  p: Parameters,
): Mark | null {
  const trades = records.trades.filter((trade) => isAdmitted({ ...trade, revision: 1 }, cutoff, grace))
  const used: string[] = []
  const partitions = Array.from({ length: fixing.partitions }, (_, i) => {
    const end = cutoff - (fixing.partitions - 1 - i) * fixing.partition
    const inside = trades.filter((trade) => trade.source_at >= end - fixing.partition && trade.source_at < end)
    const mark = inside.length > 0 ? null : endMark(records, end, cutoff, grace, p)
    used.push(...inside.map((trade) => trade.trade_id), ...(mark?.source_ids ?? []))
    return { trades: inside, mark: mark?.value ?? null }
  })
  const value = fixingValue(partitions, fixing)
  if (value === null) return null
  return {
    rule: 'fixing',
    origin_rule: 'fixing',
    value: roundDecimal(value, SCALE.mark),
    c_rule: C_RULE.fixing,
    source_at: cutoff,
    confirmed_at: cutoff,
    cutoff_at: cutoff,
    source_ids: [...new Set(used)],
    derivation_rule: null,
  }
}

/** Returns the M1..M3 mark at the end of a partition, from what is admitted at the cutoff. */
function endMark(records: FixingRecords, end: Micros, cutoff: Micros, grace: Micros, p: Parameters): Mark | null {
  const quote = records.newestQuote(end, cutoff + grace)
  const mark = quote === null ? null : markOfQuote(quote, end, p)
  return mark !== null && ['M1', 'M2', 'M3'].includes(mark.rule) ? mark : null
}

function newestQuote({ quotes }: LegData, source_to: Micros, known_to: Micros): Quote | null {
  const known_at = quotes.known_at ?? quotes.received_at
  let best = -1
  for (let row = 0; row < quotes.length; row++) {
    if (quotes.source_at[row]! > source_to || known_at[row]! > known_to) continue
    if (best < 0 || isLaterRow(quotes, row, best)) best = row
  }
  return best < 0 ? null : quoteAt(quotes, best)
}

/** Returns every leg of a spec, each once. */
export function legsOf(spec: IndexSpec): readonly Leg[] {
  return remembered(LEGS, spec, () => eachOnce(spec.versions.flatMap(everyLeg)))
}

/** Returns every leg of a version, each once. */
export function legsOfVersion(version: IndexVersion): readonly Leg[] {
  return remembered(LEGS, version, () => eachOnce(everyLeg(version)))
}

/** Cache: the lists are read at each tick of a thousand indexes. */
const LEGS = new WeakMap<IndexSpec | IndexVersion, readonly Leg[]>()

function remembered<K extends object, V>(known: WeakMap<K, V>, key: K, make: () => V): V {
  const found = known.get(key) ?? make()
  known.set(key, found)
  return found
}

function everyLeg({ constituents }: IndexVersion): Leg[] {
  return constituents.flatMap((constituent) => constituent.legs)
}

function eachOnce(legs: readonly Leg[]): Leg[] {
  return [...new Map(legs.map((leg) => [leg.key, leg])).values()]
}
