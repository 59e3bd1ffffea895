import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type SeriesMemory, seriesRecord, seriesStretch, storedMemory } from '../../../operations/index/series-run.ts'
import type { LegData, QuoteColumns } from '../../../pipelines/index/admission.ts'
import { LegSources } from '../../../pipelines/index/exact/leg-sources.ts'
import { LegReader, LegWriter } from '../../../pipelines/index/memory-record.ts'
import { buildObservation } from '../../../pipelines/index/observation.ts'
import { joinQuotes, NO_QUOTES, retainQuotes, selectRows } from '../../../pipelines/index/quote-window.ts'
import { SharedAdmission } from '../../../pipelines/index/shared-admission.ts'
import type { IndexSpec } from '../../../pipelines/index/version.ts'
import { freezeInstants } from '../../../pipelines/market/freeze.ts'
import { FIRST_REVISION } from '../../../primitives/append-only.ts'
import { isServiceError } from '../../../primitives/errors.ts'
import type { Micros } from '../../../primitives/instants.ts'
import { MINUTE, START } from '../../pipelines/index/exact/support/random-data.ts'
import { randomSpec } from '../../pipelines/index/exact/support/random-spec.ts'
import { randomWorld } from '../../pipelines/index/exact/support/random-world.ts'
import type { Legs } from '../../pipelines/index/exact/support/step-texts.ts'
import { SEED } from '../../support/seed.ts'
import { sized } from '../../support/sized.ts'

const END = START + 32 * MINUTE
const GRACES = [0, 5_000_000]
const FIXING_SPAN = 8 * MINUTE

type Windows = { readonly kept: Map<string, QuoteColumns>; read_to: Micros }

/** The rows that become known in a stretch, after those that the last one left; what it leaves is all that later ones get. */
function windowed(name: string, columns: QuoteColumns, windows: Windows, to: Micros): QuoteColumns {
  const known_at = columns.known_at ?? columns.received_at
  const readable = (row: number) => known_at[row]! - 5_000_000
  const rows = Uint32Array.from({ length: columns.length }, (_, row) => row).filter(
    (row) => readable(row) > windows.read_to && readable(row) <= to,
  )
  const joined = joinQuotes(windows.kept.get(name) ?? NO_QUOTES, selectRows(columns, rows))
  windows.kept.set(name, retainQuotes(joined, to, { graces: GRACES, fixing_span: FIXING_SPAN }))
  return joined
}

function stretchData(legs: Legs, windows: Windows, to: Micros): Map<string, LegData> {
  return new Map(
    [...legs].map(([name, data]) => [
      name,
      {
        ...data,
        quotes: windowed(`${name} own`, data.quotes, windows, to),
        other: data.other === null ? null : windowed(`${name} other`, data.other, windows, to),
      },
    ]),
  )
}

/** A tick as it would be published: every field of the row, inputs and digest included; and the links made before it. */
function rowsOf(spec: IndexSpec, legs: Legs, ends: readonly Micros[], stored = false): string[] {
  const windows: Windows = { kept: new Map(), read_to: Number.NEGATIVE_INFINITY }
  const rows: string[] = []
  let memory: SeriesMemory | null = null
  try {
    for (const to of ends) {
      const shared = new SharedAdmission(stretchData(legs, windows, to))
      windows.read_to = to
      const data = (leg: { key: string }) => shared.data.get(leg.key)!
      const inputs = { admission: shared.admission, sources: new LegSources(data), trim: shared.trim }
      const steps = seriesStretch(spec, memory, inputs, { to, published_links: new Map() })
      let next = steps.next()
      for (; next.done !== true; next = steps.next()) {
        const { step, official } = next.value
        const row = buildObservation(step.result, {
          ...FIRST_REVISION,
          index_id: 'idx',
          unit: 'u',
          calculated_at: to - to,
        })
        const links = step.links.map((link) => ({ ...link, version: link.version.version }))
        rows.push(JSON.stringify({ row, official, links }))
      }
      memory = stored && next.value !== null ? throughJson(next.value, legs) : next.value
    }
  } catch (error) {
    if (!isServiceError(error)) throw error
    rows.push(error.message)
  }
  return rows
}

/** A memory as another process has it, which read what this one stored. */
function throughJson(memory: SeriesMemory, legs: Legs): SeriesMemory {
  const writer = new LegWriter()
  const record = seriesRecord(memory, writer)
  const text = JSON.stringify({ record, records: writer.records })
  const read = JSON.parse(text) as { record: typeof record; records: typeof writer.records }
  const instants = new Map([...legs].map(([key, data]) => [key, freezeInstants(data)]))
  return storedMemory(read.record, new LegReader(read.records), instants)
}

const cuts = fc.uniqueArray(fc.integer({ min: 0, max: 32 * 4 }), { maxLength: 6 })

test('a series cut anywhere, each stretch seeing only what the one before left and what is new, stored between or not, has the same rows', () => {
  let mismatches = 0
  fc.assert(
    fc.property(randomSpec, randomWorld, cuts, (spec, legs, quarters) => {
      const ends = quarters.toSorted((a, b) => a - b).map((quarter) => START + quarter * (MINUTE / 4))
      const whole = rowsOf(spec, legs, [END])
      expect(rowsOf(spec, legs, [...ends.filter((to) => isSafe(spec, to)), END])).toEqual(whole)
      expect(rowsOf(spec, legs, [...ends.filter((to) => isSafe(spec, to)), END], true)).toEqual(whole)
      mismatches += whole.filter((row) => row.includes('ENGINE_MISMATCH')).length
    }),
    { numRuns: sized(10, 60), seed: SEED, endOnFailure: true },
  )
  expect(mismatches).toBe(0)
}, 400_000)

/** No version begins before a cut without having its first tick before it too: see stretchEnd. */
function isSafe(spec: IndexSpec, to: Micros): boolean {
  return spec.versions.every(
    (version, i) =>
      (i === 0 ? spec.base_date : version.effective_from) >= to ||
      Math.ceil(version.effective_from / version.frequency) * version.frequency < to,
  )
}
