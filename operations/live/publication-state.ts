import { LegReader, type LegRecords, LegWriter } from '../../pipelines/index/memory-record.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { Snapshot } from '../../warehouse/warehouse.ts'
import { readDerived, writeDerived } from '../index/derived-file.ts'
import type { PricedTick } from '../index/index-course.ts'
import type { PublishedIndex } from '../index/load-index.ts'
import { storedWindows, type WindowRecord, windowRecords } from '../index/quote-record.ts'
import { type SeriesRecord, seriesRecord, storedMemory } from '../index/series-run.ts'
import { LiveMarks } from '../marks/live-marks.ts'
import { MARK_STEP } from '../marks/mark-ticks.ts'
import { type GroupMarks, LiveGroup } from './live-group.ts'
import { LiveLegs, type QuotedMarket } from './live-legs.ts'
import { LiveLevels } from './live-levels.ts'

/** Another form of the file, or of what is remembered, is another number: then it is as if there were no file. */
const FORMAT = 1

type StoredIndex = {
  readonly index_id: string
  /** Ids of the versions that had begun. */
  readonly versions: readonly string[]
  readonly done_to: Micros
  readonly priced: PricedTick | null
  readonly series: SeriesRecord
}

type StoredState = {
  readonly format: number
  /** Table id and version of market_quote that were read: they differ in another warehouse or a restored one. */
  readonly table_id: string | null
  readonly version: number
  readonly through: Micros
  readonly quoted: readonly QuotedMarket[]
  readonly windows: readonly WindowRecord[]
  readonly instants: readonly (readonly [key: string, instants: readonly Micros[]])[]
  readonly records: LegRecords
  readonly indexes: readonly StoredIndex[]
  readonly marks: {
    readonly taken_to: Micros
    readonly markets: readonly (readonly [
      key: string,
      outcomes: readonly (readonly [leg: number, said: string | null])[],
    ])[]
  } | null
}

/**
 * File of a publisher's state, by which the next process continues where this one ended instead of computing every series from its
 * first tick.
 */
const FILE = 'publication/state.json'

/** Stores a group that is up to date, in the place of what was stored. */
export async function storeGroup(root: string, quotes: Snapshot, group: LiveGroup): Promise<void> {
  await writeDerived(root, FILE, stateOf(quotes, group))
}

/**
 * The group as it was last stored, with those of its indexes that are defined as they were; null where nothing is stored
 * that can be trusted for this warehouse.
 */
export async function storedGroup(
  root: string,
  quotes: Snapshot,
  indexes: ReadonlyMap<string, PublishedIndex>,
): Promise<LiveGroup | null> {
  const state = (await readDerived(root, FILE)) as StoredState | null
  if (state === null) return null
  const same = state.format === FORMAT && state.table_id === quotes.table_id && state.version <= quotes.version
  return same ? groupOf(state, indexes) : null
}

function stateOf({ table_id, version }: Snapshot, { legs, levels, marks, through }: LiveGroup): StoredState {
  const writer = new LegWriter()
  const indexes = [...levels.followed.values()].flatMap(({ index, memory, done_to, priced }): StoredIndex[] => {
    if (memory === null) return []
    const versions = index.spec.versions.filter(({ effective_from }) => effective_from < done_to)
    const names = versions.map(({ index_version_id }) => index_version_id)
    const series = seriesRecord(memory, writer)
    return [{ index_id: index.spec.index_id, versions: names, done_to, priced, series }]
  })
  return {
    format: FORMAT,
    table_id,
    version,
    through,
    quoted: [...legs.quoted.values()],
    windows: windowRecords(legs.windows()),
    instants: [...legs.facts.instants()],
    records: writer.records,
    indexes,
    marks: marks === null ? null : marksOf(marks.marks, writer),
  }
}

function marksOf(marks: LiveMarks, writer: LegWriter): StoredState['marks'] {
  const { taken_to, markets } = marks.memory()
  if (taken_to === null) return null
  const published = [...markets].map(
    ([key, outcomes]) => [key, outcomes.map(({ state, said }) => [writer.leg(state), said] as const)] as const,
  )
  return { taken_to, markets: published }
}

function groupOf(state: StoredState, indexes: ReadonlyMap<string, PublishedIndex>): LiveGroup | null {
  if (state.marks === null) return null
  const reader = new LegReader(state.records)
  const instants = new Map(state.instants)
  const legs = new LiveLegs(null)
  const windows = storedWindows(state.windows)
  legs.restore(state.through, windows, state.quoted)
  legs.facts.restoreInstants(instants)
  const levels = new LiveLevels()
  for (const { index_id, versions, done_to, priced, series } of state.indexes) {
    const index = indexes.get(index_id)
    if (index === undefined || !isContinued(index, versions, done_to)) continue
    levels.follow({ index, memory: storedMemory(series, reader, instants), done_to, priced })
  }
  const markets = new Map(
    state.marks.markets.map(([key, outcomes]) => [
      key,
      outcomes.map(([leg, said]) => ({ state: reader.leg(leg), said })),
    ]),
  )
  const { taken_to } = state.marks
  const marks: GroupMarks = { marks: new LiveMarks(MARK_STEP, { taken_to, markets }), from: taken_to }
  return new LiveGroup(legs, levels, marks, state.through)
}

/** The versions that had begun are those of today, and no other has been put between them. */
function isContinued({ spec }: PublishedIndex, versions: readonly string[], done_to: Micros): boolean {
  const begun = spec.versions.filter(({ effective_from }) => effective_from < done_to)
  return (
    begun.length === versions.length && begun.every((version, place) => version.index_version_id === versions[place])
  )
}
