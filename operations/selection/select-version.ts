import { evaluateEligibility } from '../../pipelines/eligibility/evaluate.ts'
import { type DefinedVersion, decodeVersion } from '../../pipelines/index/definition.ts'
import type { ConstituentFile, VersionFile } from '../../pipelines/index/definition-schema.ts'
import type { IndexDescription, Methodology } from '../../pipelines/index/version.ts'
import { type Candidate, type Ranked, selectConstituents } from '../../pipelines/selection/select.ts'
import type { Selection } from '../../pipelines/selection/selection.ts'
import { isIndexEligible } from '../../pipelines/venues/terms.ts'
import { invariant, notAllowed } from '../../primitives/errors.ts'
import { deriveId } from '../../primitives/ids.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import { OWN_VENUE } from '../../vocabulary/venue.ts'
import { openReadSession, type ReadSession } from '../../warehouse/read/session.ts'
import type { Row } from '../../warehouse/schema.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { findPolicy, listPolicies, type PublishedPolicy } from '../eligibility/policies.ts'
import { FACT_TABLES, type MarketFacts, readFacts } from '../eligibility/read-facts.ts'
import { checkSources } from '../index/check-sources.ts'
import { resolveWeights } from '../index/resolve-weights.ts'

/** A version whose constituents were selected, with everything that explains it. */
export type SelectedVersion = {
  /** With constituents and weights; `file` has the constituents too. */
  readonly defined: DefinedVersion
  readonly policy: PublishedPolicy
  /** Instant whose facts decided. */
  readonly selected_as_of: Micros
  /** Every candidate of the universe, by rank. */
  readonly ranked: readonly Ranked[]
  /** Titles of the candidates by market_id. */
  readonly titles: ReadonlyMap<string, string>
}

/** A version whose constituents are to be selected. */
export type SelectionRequest = {
  readonly index: IndexDescription
  readonly methodology: Methodology
  /** The version without constituents. */
  readonly file: VersionFile
  /** null: now. */
  readonly selected_as_of: Micros | null
  /** Market ids of the version before. */
  readonly incumbents: ReadonlySet<string>
  /** Left out: the published policy that the version names. */
  readonly policy?: PublishedPolicy
}

/**
 * Selects the constituents of a version from the facts known at an instant, and weighs them. The same request gives the same
 * version to anyone, at any later time.
 * @throws {ServiceError} GOVERNANCE_NOT_FOUND; VALIDATION_DEFINITION_INVALID: no market is selected; INDEX_CAP_*;
 *   INDEX_SOURCE_NOT_ELIGIBLE
 */
export async function selectVersion(warehouse: Warehouse, request: SelectionRequest): Promise<SelectedVersion> {
  const { index, methodology, file, incumbents } = request
  const { selection } = decodeVersion(file, index, methodology)
  invariant(selection !== null, 'the version has a selection')
  const { policy_id, policy_version } = selection
  const policy = request.policy ?? findPolicy(await listPolicies(warehouse, null), policy_id, policy_version)
  const session = await openReadSession(warehouse, { as_of: request.selected_as_of, tables: FACT_TABLES })
  try {
    const selected_as_of = request.selected_as_of ?? (await warehouse.now())
    const markets = (await readFacts(session, selected_as_of, null)).filter((one) => isInUniverse(one, selection))
    const outcomes = await outcomesOf(session, markets, selection)
    const candidates = markets.flatMap((one) => {
      const outcome = outcomes.get(one.market_id)
      return outcome === undefined ? [] : [candidateOf(one, outcome, { policy, selection, selected_as_of })]
    })
    const ranked = selectConstituents(candidates, selection, incumbents)
    const rows = new Map(markets.map((one) => [one.market_id, one]))
    const constituents = ranked
      .filter(({ is_selected }) => is_selected)
      .map((one) => constituentFile(one, rows.get(one.market_id)!, outcomes.get(one.market_id)!, selection))
      .sort((a, b) => (a.constituent_id < b.constituent_id ? -1 : 1))
    if (constituents.length === 0) throw noneSelected(file, candidates.length, selected_as_of)
    const decoded = decodeVersion({ ...file, constituents }, index, methodology)
    checkSources({ index, versions: [decoded] })
    const bands = (market_id: string) => rows.get(market_id)?.facts.get('rating_band')?.value ?? null
    const titles = new Map(markets.map((one) => [one.market_id, String(one.row.title)]))
    return { defined: await resolveWeights(decoded, session, bands), policy, selected_as_of, ranked, titles }
  } finally {
    await session.close()
  }
}

/** Reports whether a market fits every filter; a source whose terms keep it out of indexes is never in a universe. */
function isInUniverse({ market_id, row }: MarketFacts, { universe }: Selection): boolean {
  const { venue_ids, categories, event_ids, market_ids, outcome_type } = universe
  const venue_id = venueOf(row)
  const fits = (allowed: readonly string[] | undefined, value: unknown) =>
    allowed === undefined || allowed.some((one) => one === value)
  return (
    venue_id !== null &&
    isIndexEligible(venue_id) &&
    fits(venue_ids, venue_id) &&
    fits(categories, row.category) &&
    fits(event_ids, row.event_id) &&
    fits(market_ids, market_id) &&
    (outcome_type === undefined || row.outcome_type === outcome_type)
  )
}

function venueOf(row: Row): string | null {
  const venue_id = (row.venue_mapping as Row | null)?.venue_id
  return typeof venue_id === 'string' ? venue_id : null
}

type Outcome = { readonly outcome_id: string; readonly outcome: string }

/** Returns the outcome that a constituent would read, by market; a market without such an outcome has none. */
async function outcomesOf(
  session: ReadSession,
  markets: readonly MarketFacts[],
  selection: Selection,
): Promise<ReadonlyMap<string, Outcome>> {
  const market_ids = markets.map(({ market_id }) => market_id)
  const rows = await session.query(readSql(import.meta.url, '../sql/outcomes_of_markets.sql'), { market_ids })
  return new Map(
    rows
      .filter(({ outcome }) => outcome === selection.outcome)
      .map((row) => [String(row.market_id), { outcome_id: String(row.outcome_id), outcome: String(row.outcome) }]),
  )
}

function candidateOf(
  { market_id, row, facts }: MarketFacts,
  { outcome_id }: Outcome,
  by: { readonly policy: PublishedPolicy; readonly selection: Selection; readonly selected_as_of: Micros },
): Candidate {
  return {
    market_id,
    outcome_id,
    venue_id: venueOf(row)!,
    event_id: String(row.event_id),
    evaluation: evaluateEligibility(by.policy.document.rules, facts, by.selected_as_of),
    rating_id: facts.get('rating_band')?.source_id ?? null,
    ranking_value: facts.get(by.selection.ranking_fact)?.value ?? null,
  }
}

function constituentFile(
  { market_id, outcome_id, venue_id, event_id }: Ranked,
  { row }: MarketFacts,
  { outcome }: Outcome,
  { source_series_id, normalization }: Selection,
): ConstituentFile {
  return {
    constituent_id: deriveId('con', market_id, outcome_id),
    venue_id,
    ...(source_series_id === null ? {} : { source_series_id }),
    source_market_id: String((row.venue_mapping as Row).source_market_id),
    outcome: venue_id === OWN_VENUE ? outcome_id : outcome,
    normalization,
    group_event: event_id,
  }
}

function noneSelected({ version }: VersionFile, candidates: number, at: Micros) {
  return notAllowed(
    'VALIDATION_DEFINITION_INVALID',
    `versions[${version}].selection`,
    `without an eligible market among ${candidates} candidates as of ${formatMicros(at)}`,
    'a universe and a policy that leave at least one',
  )
}
