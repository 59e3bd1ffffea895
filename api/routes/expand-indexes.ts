import { bucketLevel, DAY_INTERVAL, type DayRange, dayLine, dayRange } from '../../pipelines/index/day-line.ts'
import { type Micros, toMicros } from '../../primitives/instants.ts'
import type { Index, LatestLevel } from '../../protocol/resources/index-resource.ts'
import type { Row } from '../../warehouse/schema.ts'
import { indexObservationOf } from '../resources/index-observation.ts'
import type { RouteAnswer, RouteRequest } from '../server/handler.ts'
import { pinnedAt } from './history-request.ts'
import { currentLevel } from './index-prices.ts'
import { listParameter } from './parameters.ts'

/** Adds what `expand` asks for to the answer of one index. */
export function expandIndex(request: RouteRequest, index: Index): RouteAnswer | Promise<RouteAnswer> {
  if (listParameter(request, 'expand').length === 0) return { data: index }
  return expanded(request, [index]).then(([data]) => ({ data }))
}

/** Adds what `expand` asks for to a page of indexes. */
export function expandIndexes(
  request: RouteRequest,
  page: RouteAnswer | Promise<RouteAnswer>,
): RouteAnswer | Promise<RouteAnswer> {
  if (listParameter(request, 'expand').length === 0) return page
  return Promise.resolve(page).then(async (answer) => {
    return { ...answer, data: await expanded(request, answer.data as readonly Index[]) }
  })
}

async function expanded(request: RouteRequest, indexes: readonly Index[]): Promise<readonly Index[]> {
  const expand = listParameter(request, 'expand')
  const at = request.cursor?.as_of ?? request.as_of
  const latest = await latestLevels(request, indexes, at)
  const days = expand.includes('day') ? await daysOf(request, latest) : null
  return indexes.map((index) => {
    const row = latest.get(index.index_id) ?? null
    return {
      ...index,
      ...(expand.includes('latest') ? { latest: row === null ? null : latestLevelOf(request, row, at) } : {}),
      ...(days === null ? {} : { day: days.get(index.index_id) ?? null }),
    }
  })
}

/** Returns the row of the latest level of each index that has one. */
async function latestLevels(
  request: RouteRequest,
  indexes: readonly Index[],
  at: Micros | null,
): Promise<ReadonlyMap<string, Row>> {
  const { latest, history } = request.reader
  const index_ids = indexes.map(({ index_id }) => index_id)
  const inMemory = (): readonly Row[] =>
    index_ids.flatMap((index_id) => {
      const placed = latest.observation(index_id)
      return placed === null ? [] : [placed.row]
    })
  const rows = at === null ? inMemory() : await history.latestObservations(index_ids, at)
  return new Map(rows.map((row) => [String(row.index_id), row]))
}

const FIELDS = [
  'observation_id',
  'revision',
  'index_version_id',
  'level',
  'unit',
  'tick_at',
  'source_cutoff_at',
  'published_at',
  'quality_state',
  'underlying_quality_state',
  'coverage_ratio',
] as const

function latestLevelOf(request: RouteRequest, row: Row, at: Micros | null): LatestLevel {
  const { is_stale, max_age_ms } = currentLevel(request.reader.catalog(request.as_of), row, at ?? request.now)
  const observation = indexObservationOf(row, is_stale)
  const fields = FIELDS.map((field) => [field, observation[field]] as const)
  return { ...(Object.fromEntries(fields) as Omit<LatestLevel, 'max_age_ms'>), max_age_ms }
}

async function daysOf(request: RouteRequest, latest: ReadonlyMap<string, Row>) {
  const ranges = new Map<string, DayRange>([...latest].map(([id, row]) => [id, dayRange(toMicros(row.tick_at))]))
  const asked = [...ranges].map(([index_id, range]) => ({ index_id, ...range }))
  const rows = await request.reader.history.levelLines(asked, DAY_INTERVAL, pinnedAt(request, ['index_observation']))
  const found = new Map([...ranges.keys()].map((index_id) => [index_id, [] as ReturnType<typeof bucketLevel>[]]))
  for (const row of rows) found.get(String(row.index_id))!.push(bucketLevel(row.source_cutoff_at, row.level))
  return new Map(
    [...ranges].map(([index_id, range]) => {
      const level = latest.get(index_id)!.level
      return [index_id, dayLine(range, found.get(index_id)!, level == null ? null : String(level))]
    }),
  )
}
