import type { StoredVersion } from '../../pipelines/index/version-record.ts'
import { methodologyOf, versionOf } from '../../pipelines/index/version-record.ts'
import { type PreviewRules, previewResolution, previewVoid } from '../../pipelines/robustness/resolution-preview.ts'
import { type Micros, microsOf } from '../../primitives/instants.ts'
import type { Catalog, Reader } from '../../warehouse/reader/reader.ts'
import type { Row } from '../../warehouse/schema.ts'
import { marketsOf } from '../resources/index-resources.ts'
import { rowOrNull, rowsOf, textOrNull } from '../resources/pick.ts'
import { ofLevel, previewedLevelOf } from '../resources/robustness.ts'
import type { CursorState, RouteAnswer, RouteRequest } from '../server/handler.ts'
import { integerParameter, requireMarket } from './parameters.ts'

/**
 * Lists the indexes whose latest level reads a market, each under every outcome of it. Later pages are of the catalogue and the instant
 * of the first one.
 */
export async function listIndexPreviews(request: RouteRequest): Promise<RouteAnswer> {
  const { reader, as_of, cursor } = request
  const market = requireMarket(request)
  const at = cursor?.as_of ?? as_of
  const catalog = await catalogOf(request)
  const after = String(cursor?.key[0] ?? '')
  const ids = catalog.indexes().map(({ index_id }) => String(index_id))
  const limit = integerParameter(request, 'limit')
  const previews: unknown[] = []
  let last = after
  for (const index_id of ids.filter((id) => id > after)) {
    const row = at === null ? (reader.latest.observation(index_id)?.row ?? null) : await latestAt(reader, index_id, at)
    const version = row === null ? null : catalog.version(String(row.index_version_id))
    if (row === null || version === null || !marketsOf(version).has(String(market.market_id))) continue
    if (previews.length === limit) return { data: previews, next: nextOf(request, catalog, last) }
    previews.push(previewOf(row, version, market, catalog))
    last = index_id
  }
  return { data: previews, next: null }
}

async function catalogOf({ reader, as_of, cursor }: RouteRequest): Promise<Catalog> {
  if (as_of !== null || cursor?.known === undefined) return reader.catalog(as_of)
  return reader.catalogOf({ at: cursor.as_of, known: cursor.known })
}

function nextOf({ as_of, cursor, now }: RouteRequest, { state }: Catalog, last: string): CursorState {
  return { as_of: cursor?.as_of ?? as_of ?? Math.max(state.at, now), known: state.known, key: [last] }
}

function latestAt({ history }: Reader, index_id: string, as_of: Micros): Promise<Row | null> {
  return history.latestObservation(index_id, as_of)
}

function previewOf(row: Row, version: Row, market: Row, catalog: Catalog) {
  const market_id = String(market.market_id)
  const record = previewedLevelOf(row)
  const rules = rulesOf(version, catalog)
  const outcomes = rowsOf(market.outcomes).map(({ outcome_id, label }) => ({
    outcome_id,
    label: textOrNull(label),
    ...previewResolution(record, rules, market_id, String(outcome_id)),
  }))
  return {
    ...ofLevel(
      row,
      outcomes.some(({ constituents }) => constituents.length > 0),
      [],
    ),
    market_id,
    outcomes,
    voided: outcomes.length === 0 ? [] : previewVoid(record, rules, market_id, outcomes.length),
  }
}

function rulesOf(version: Row, catalog: Catalog): PreviewRules {
  const { index_id, methodology_id, methodology_version } = version
  const index = catalog.index(String(index_id))
  const methodology = catalog.methodology(String(methodology_id), String(methodology_version))
  const stored = [version, index, methodology] as unknown as Parameters<typeof decoded>
  const decoded_version = decoded(...stored)
  return {
    version: decoded_version,
    expectedResolution: (leg) => {
      const schedule = rowOrNull(catalog.market(leg.market_id)?.schedule)
      return leg.expected_resolution_at ?? microsOf(schedule?.expected_resolution_at as string | null)
    },
  }
}

function decoded(
  version: StoredVersion,
  index: Parameters<typeof versionOf>[1],
  methodology: Parameters<typeof methodologyOf>[0],
) {
  return versionOf(version, index, methodologyOf(methodology)).version
}
