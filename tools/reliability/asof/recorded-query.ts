import { contentHash } from '../../../primitives/canonical-json.ts'
import { formatMicros, type Instant, type Micros, toMicros } from '../../../primitives/instants.ts'
import { endpointOf } from '../../../protocol/endpoints/endpoints.ts'
import type { Random } from '../../../simulator/world/random.ts'
import { timelessAnswer } from '../../../test/support/timeless-answer.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import { tablesOfView, VIEW_NAMES } from '../../../warehouse/read/views.ts'
import { TABLE_NAMES, type TableName } from '../../../warehouse/tables.ts'
import type { Warehouse } from '../../../warehouse/warehouse.ts'
import type { KnownRecords } from '../requests/known-records.ts'
import { OPERATIONS, publicRequest, targetOf } from '../requests/public-request.ts'
import type { AsofWorld } from './asof-world.ts'

/** A question with its instant: a path of the API, or a view that SQL reads over the files that the log names. */
export type Query =
  | { readonly kind: 'api'; readonly path: string; readonly as_of: Instant }
  | { readonly kind: 'log'; readonly view: string; readonly as_of: Instant }

export type Answered = {
  /** HTTP status; null for SQL. */
  readonly status: number | null
  /** SHA-256 of the canonical answer. */
  readonly sha256: string
}

const DATED = OPERATIONS.filter((operation_id) => 'as_of' in endpointOf(operation_id).query)
/** Most pages of one list that are read. */
const PAGES_MAX = 3
/** Span of the prepared records, in microseconds, from before the first one on. */
const PREPARED = { from: toMicros('2026-01-31T00:00:00Z'), days: 180 } as const
const RECENT_SECONDS = 60

/** Makes a question to ask again later: half of them over the API, half by SQL. */
export async function newQuery(world: AsofWorld, known: KnownRecords, random: Random): Promise<Query> {
  const as_of = formatMicros(await newInstant(world, random))
  if (random.chance(500_000)) {
    const views = await viewsWithRows(world.warehouse)
    return { kind: 'log', view: views[random.below(views.length)]!, as_of }
  }
  const { path, query } = publicRequest(DATED[random.below(DATED.length)]!, known, random)
  return { kind: 'api', path: targetOf({ path, query: { ...query, as_of } }), as_of }
}

/** Chooses now, the last minute, the prepared past, or the newest commit of a table and the microsecond before it. */
async function newInstant({ warehouse }: AsofWorld, random: Random): Promise<Micros> {
  const now = await warehouse.now()
  const kind = random.below(4)
  if (kind === 0) return now
  if (kind === 1) return now - random.below(RECENT_SECONDS) * 1_000_000
  if (kind === 2) return PREPARED.from + random.below(PREPARED.days * 86_400) * 1_000_000
  const { head_stamp } = await warehouse.log(TABLE_NAMES[random.below(TABLE_NAMES.length)]!).snapshot()
  return Math.min(now, (head_stamp ?? now) - random.below(2))
}

async function viewsWithRows(warehouse: Warehouse): Promise<readonly string[]> {
  const rows = new Map<TableName, number>()
  for (const table of TABLE_NAMES) rows.set(table, (await warehouse.log(table).snapshot()).rows)
  return VIEW_NAMES.filter((view) => rows.get(tablesOfView(view)![0]!)! > 0)
}

/** Returns the answer to a question as it is now. */
export function answerTo(world: AsofWorld, query: Query): Promise<Answered> {
  return query.kind === 'api'
    ? answerOfApi(world.base_url, query.path)
    : answerOfLog(world.warehouse, query.view, query.as_of)
}

/** Reads a path, and the pages that follow. */
async function answerOfApi(base_url: string, path: string): Promise<Answered> {
  const pages: unknown[] = []
  let status = 200
  for (let cursor: string | null = ''; cursor !== null && pages.length < PAGES_MAX; ) {
    const from: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const answer = await timelessAnswer(`${base_url}/v1${path}${from}`)
    pages.push({ status: answer.status, etag: answer.etag, body: answer.body })
    status = answer.status
    cursor = answer.next_cursor
  }
  return { status, sha256: contentHash(pages) }
}

async function answerOfLog(warehouse: Warehouse, view: string, as_of: Instant): Promise<Answered> {
  const session = await openReadSession(warehouse, { as_of: toMicros(as_of), tables: tablesOfView(view)! })
  try {
    return { status: null, sha256: contentHash(await session.query(`select * from ${view} order by all`)) }
  } finally {
    await session.close()
  }
}
