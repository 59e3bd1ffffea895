import { toMicros } from '../../primitives/instants.ts'
import type { Catalog } from '../../warehouse/reader/reader.ts'
import type { Row } from '../../warehouse/schema.ts'
import { methodologyOf } from '../resources/index-resources.ts'
import { ratingMethodologyOf } from '../resources/market-rating.ts'
import { severityMethodologyOf } from '../resources/severity.ts'
import type { RouteAnswer, RouteHandlers, RouteRequest } from '../server/handler.ts'
import type { RecordForm } from '../transparency/record-form.ts'
import { METHODOLOGY, RATING_METHODOLOGY, SEVERITY_METHODOLOGY } from '../transparency/record-forms.ts'
import { catalogPage } from './catalog-page.ts'
import { textParameter } from './parameters.ts'

/** Lists of methodologies. */
export const METHODOLOGY_ROUTES = {
  list_methodologies: (request) => listOf(request, (catalog) => catalog.methodologies(), methodologyOf, METHODOLOGY),
  list_rating_methodologies: (request) =>
    listOf(
      request,
      (catalog) => catalog.assessmentMethodologies('market_rating'),
      ratingMethodologyOf,
      RATING_METHODOLOGY,
    ),
  list_severity_methodologies: (request) =>
    listOf(
      request,
      (catalog) => catalog.assessmentMethodologies('severity_assessment'),
      severityMethodologyOf,
      SEVERITY_METHODOLOGY,
    ),
} as const satisfies Partial<RouteHandlers>

function listOf(
  request: RouteRequest,
  rows: (catalog: Catalog) => readonly Row[],
  show: (row: Row) => unknown,
  form: RecordForm,
): RouteAnswer | Promise<RouteAnswer> {
  const methodology_id = textParameter(request, 'methodology_id')
  return catalogPage(request, {
    rows,
    keep: (row) => methodology_id === null || row.methodology_id === methodology_id,
    key: (row) => [String(row.methodology_id), toMicros(row.published_at), String(row.version)],
    show,
    form,
  })
}
