import { bandOfLevel, robustnessOfLevel } from '../../pipelines/robustness/level-robustness.ts'
import { toMicros } from '../../primitives/instants.ts'
import type { Row } from '../../warehouse/schema.ts'
import { missing } from '../missing-resource.ts'
import {
  booksByOutcome,
  missingRulesOf,
  ofLevel,
  outcomesWithDepth,
  publishedLevelOf,
} from '../resources/robustness.ts'
import type { RouteHandlers, RouteRequest } from '../server/handler.ts'
import { readInSteps } from '../server/read-in-steps.ts'
import { childOf } from './child-of.ts'
import { pinnedAt } from './history-request.ts'
import { listIndexPreviews } from './index-previews.ts'
import { listKnowledgeChanges } from './knowledge-diff.ts'
import { integerParameter, requiredText, requireIndex, textParameter } from './parameters.ts'

export const ROBUSTNESS_ROUTES = {
  get_index_robustness: async (request) => {
    const { row, record, rules, books } = await levelWithBooks(request)
    const found = robustnessOfLevel(record, rules, booksByOutcome(books), integerParameter(request, 'basis_points'))
    const { missing_input = null, manipulation_cost = null } = found ?? {}
    return { data: { ...ofLevel(row, found !== null, books), missing_input, manipulation_cost } }
  },
  get_executable_band: async (request) => {
    const { row, record, rules, books } = await levelWithBooks(request)
    const notional = requiredText(request, 'notional')
    const band = bandOfLevel(record, rules, booksByOutcome(books), notional) ?? { notional, bid: null, ask: null }
    return { data: { ...ofLevel(row, band.bid !== null, books), ...band } }
  },
  list_knowledge_changes: listKnowledgeChanges,
  list_index_previews: listIndexPreviews,
} as const satisfies Partial<RouteHandlers>

/** Reads a level, its rules, and the books as they were stored at its tick. */
async function levelWithBooks(request: RouteRequest) {
  const row = await levelAsked(request)
  const record = publishedLevelOf(row)
  const rules = missingRulesOf(request.reader.catalog(request.as_of), row)
  return { row, record, rules, books: await booksOfLevel(request, row) }
}

async function booksOfLevel({ reader }: RouteRequest, row: Row): Promise<readonly Row[]> {
  const at = { source_to: toMicros(row.tick_at), as_of: toMicros(row.published_at) }
  const books = await readInSteps(outcomesWithDepth(publishedLevelOf(row)), ({ market_id, outcome_id }) =>
    reader.history.bookAt(market_id, outcome_id, at),
  )
  return books.filter((book) => book !== null)
}

/** Returns the level that a request names, or the latest one. @throws {ServiceError} INDEX_NOT_FOUND, OBSERVATION_NOT_FOUND */
async function levelAsked(request: RouteRequest): Promise<Row> {
  const { reader, as_of } = request
  const index_id = String(requireIndex(request).index_id)
  const observation_id = textParameter(request, 'observation_id')
  if (observation_id === null) {
    const latest =
      as_of === null
        ? (reader.latest.observation(index_id)?.row ?? null)
        : await reader.history.latestObservation(index_id, as_of)
    if (latest !== null) return latest
    throw missing('index_level', index_id)
  }
  const found = await reader.history.observation(observation_id, pinnedAt(request, ['index_observation']))
  return childOf(found?.row ?? null, { index_id }, 'index_observation', observation_id)
}
