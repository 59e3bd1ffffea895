import { toMicros } from '../../primitives/instants.ts'
import type { Catalog } from '../../warehouse/reader/reader.ts'
import type { Row } from '../../warehouse/schema.ts'
import { missing } from '../missing-resource.ts'
import { type OwnStates, withOwnStates } from '../own-venue/own-states.ts'
import { constituentsOf, indexOf, indexVersionOf, marketsOf, methodologyOf } from '../resources/index-resources.ts'
import { marketOf, outcomesOf } from '../resources/market-resources.ts'
import { textsOf } from '../resources/pick.ts'
import { venueOf } from '../resources/venue.ts'
import type { RouteAnswer, RouteHandlers, RouteRequest } from '../server/handler.ts'
import { loggedAs } from '../transparency/record-form.ts'
import { CONSTITUENTS, INDEX_VERSION, METHODOLOGY, versionForm } from '../transparency/record-forms.ts'
import { catalogPage } from './catalog-page.ts'
import { expandIndex, expandIndexes } from './expand-indexes.ts'
import { listParameter, requiredText, requireIndex, requireVersion, textParameter } from './parameters.ts'
import { isSimulated } from './simulated.ts'

export const INDEX_ROUTES = {
  list_indexes: (request) => {
    const [family, status, tag] = ['family', 'status', 'tag'].map((name) => textParameter(request, name))
    const market_id = textParameter(request, 'constituent_market_id')
    const page = catalogPage(request, {
      rows: (catalog) => catalog.indexes(),
      keep: (row, catalog) =>
        (family === null || row.family === family) &&
        (status === null || row.status === status) &&
        (tag === null || textsOf(row.tags).includes(tag!)) &&
        (market_id === null || marketsInForce(row, catalog).has(market_id)),
      key: (row) => [String(row.index_id)],
      show: (row, catalog) => indexOf(row, isSimulated(request.reader, catalog, row)),
    })
    return expandIndexes(request, page)
  },
  get_index: (request) => {
    const row = requireIndex(request)
    const { reader, as_of } = request
    return expandIndex(request, indexOf(row, isSimulated(reader, reader.catalog(as_of), row)))
  },
  list_index_versions: (request) => {
    const { index_id } = requireIndex(request)
    return catalogPage(request, {
      rows: (catalog) => catalog.versions(String(index_id)),
      keep: () => true,
      key: (row) => [toMicros(row.effective_from), String(row.index_version_id)],
      show: indexVersionOf,
      form: INDEX_VERSION,
      formOf: versionForm,
    })
  },
  get_index_version: (request) => {
    const row = requireVersion(request)
    return { data: indexVersionOf(row), ...loggedAs(versionForm(row), row) }
  },
  list_constituents: listConstituents,
  get_methodology: (request) => {
    const [methodology_id, version] = [requiredText(request, 'methodology_id'), requiredText(request, 'version')]
    const row = request.reader.catalog(request.as_of).methodology(methodology_id, version)
    if (row !== null) return { data: methodologyOf(row), ...loggedAs(METHODOLOGY, row) }
    throw missing('index_methodology', `${methodology_id}@${version}`)
  },
} as const satisfies Partial<RouteHandlers>

/** Returns the ids of every market that the version in force reads. */
export function marketsInForce(index: Row, catalog: Catalog): ReadonlySet<string> {
  const version = catalog.version(String(index.active_version_id))
  return version === null ? new Set() : marketsOf(version)
}

function listConstituents(request: RouteRequest): RouteAnswer | Promise<RouteAnswer> {
  const version = requireVersion(request)
  const expand = listParameter(request, 'expand')
  // The constituents of a version are one record.
  const withRecord = (answer: RouteAnswer) => ({ ...answer, ...loggedAs(CONSTITUENTS, version) })
  return withOwnStates(request, (own) => {
    const page = catalogPage(request, {
      rows: () => constituentsOf(version) as unknown as readonly Row[],
      keep: () => true,
      key: (row) => [String(row.constituent_id)],
      show: (row, catalog) => ({
        ...row,
        ...expansions(row, expand, { catalog, own, simulated: request.reader.simulatedVenues() }),
      }),
    })
    return page instanceof Promise ? page.then(withRecord) : withRecord(page)
  })
}

type Lookups = { readonly catalog: Catalog; readonly own: OwnStates; readonly simulated: ReadonlySet<string> }

/** Returns the asked expansions of a constituent: the same resources as the endpoints of their own. */
function expansions(
  constituent: Row,
  expand: readonly string[],
  { catalog, own, simulated }: Lookups,
): Record<string, unknown> {
  const market = own.market(catalog, String(constituent.market_id))
  const mapping = constituent.market_mapping as Row | null
  const all: Record<string, unknown> = {
    market: market === null ? null : marketOf(market, simulated),
    outcomes: market === null ? null : outcomesOf(market),
    venue: mapping === null ? null : venueOf(String(mapping.venue_id)),
  }
  return Object.fromEntries(expand.map((name) => [name, all[name]]))
}
