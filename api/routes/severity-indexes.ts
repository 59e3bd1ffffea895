import { toMicros } from '../../primitives/instants.ts'
import { SEVERITY_VALUE_MAX_AGE_MS } from '../../protocol/limits.ts'
import type { Row } from '../../warehouse/schema.ts'
import { missing } from '../missing-resource.ts'
import {
  severityIndexOf,
  severityIndexValueOf,
  severityIndexValueWithInputs,
  severityIndexVersionOf,
} from '../resources/severity-index.ts'
import type { RouteAnswer, RouteHandlers, RouteRequest } from '../server/handler.ts'
import { catalogPage } from './catalog-page.ts'
import { type DomainColumns, historyPage, oneMore, pageAnswer } from './history-request.ts'
import { listParameter, requiredText } from './parameters.ts'
import { prebuilt } from './prebuilt.ts'

const COLUMNS: DomainColumns = {
  published: 'published_at',
  source: 'source_cutoff_at',
  calculated: 'calculated_at',
}

/** Bytes of a value's resource, shared with the stream. */
export const severityValueBytes = prebuilt(severityIndexValueOf)

export const SEVERITY_INDEX_ROUTES = {
  list_severity_indexes: (request) =>
    catalogPage(request, {
      rows: (catalog) => catalog.severityIndexes(),
      keep: () => true,
      key: (row) => [String(row.severity_index_id)],
      show: severityIndexOf,
    }),
  get_severity_index: (request) => {
    const severity_index_id = requireSeverityIndex(request)
    return { data: severityIndexOf(request.reader.catalog(request.as_of).severityIndex(severity_index_id)!) }
  },
  get_severity_index_version: (request) => {
    const severity_index_id = requireSeverityIndex(request)
    const version = requiredText(request, 'version')
    const catalog = request.reader.catalog(request.as_of)
    const row = catalog.severityIndexVersion(severity_index_id, version)
    if (row === null) throw missing('severity_index_version', version)
    const { methodology_id, methodology_version } = row
    const methodology = catalog.assessmentMethodology(
      'severity_assessment',
      String(methodology_id),
      String(methodology_version),
    )
    return { data: severityIndexVersionOf(row, methodology) }
  },
  get_severity_index_value: (request) => {
    const severity_index_id = requireSeverityIndex(request)
    const { as_of, reader } = request
    if (as_of === null)
      return valueAnswer(request, severity_index_id, reader.latest.severityValue(severity_index_id)?.row ?? null)
    return reader.history
      .severityValue(severity_index_id, as_of)
      .then((row) => valueAnswer(request, severity_index_id, row))
  },
  list_severity_index_values: async (request) => {
    const severity_index_id = requireSeverityIndex(request)
    const page = historyPage(request, ['severity_index_value'])
    const rows = await request.reader.history.severityValues(severity_index_id, oneMore(page))
    const show = hasInputs(request) ? severityIndexValueWithInputs : severityIndexValueOf
    return pageAnswer(rows, page, { column: COLUMNS[page.time_domain], id: 'value_id', show })
  },
} as const satisfies Partial<RouteHandlers>

function valueAnswer(request: RouteRequest, severity_index_id: string, row: Row | null): RouteAnswer {
  if (row === null) throw missing('severity_value', severity_index_id)
  const max_age_ms = SEVERITY_VALUE_MAX_AGE_MS
  const current_until = toMicros(row.source_cutoff_at) + max_age_ms * 1000
  const data = hasInputs(request) ? severityIndexValueWithInputs(row) : severityValueBytes(row)
  return { data, max_age_ms, current_until }
}

function hasInputs(request: RouteRequest): boolean {
  return listParameter(request, 'expand').includes('inputs')
}

/** @throws {ServiceError} SEVERITY_INDEX_NOT_FOUND */
function requireSeverityIndex(request: RouteRequest): string {
  const severity_index_id = requiredText(request, 'severity_index_id')
  if (request.reader.catalog(request.as_of).severityIndex(severity_index_id) !== null) return severity_index_id
  throw missing('severity_index', severity_index_id)
}
