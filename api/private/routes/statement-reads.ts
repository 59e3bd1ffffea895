import type { StatementEntry } from '../../../protocol/resources/statement-entry.ts'
import { statementEntryResource } from '../../../trading/projections/statement-entry.ts'
import type { StatementFilters } from '../../../trading/store/read/trading-reads.ts'
import {
  type PrivateAnswer,
  type PrivateHandlers,
  type PrivateRequest,
  type PrivateTables,
  shownText,
} from '../private-request.ts'
import { boundedTexts } from './bounded-texts.ts'
import { instantOrNull, integerOrNull, textOrNull } from './parameters.ts'
import { settledAsOf } from './settled-as-of.ts'

export const STATEMENT_READ_ROUTES = { list_statement: listStatement } as const satisfies Partial<PrivateHandlers>
export const STATEMENT_TABLES = { list_statement: statementPage } as const satisfies PrivateTables

async function listStatement(request: PrivateRequest): Promise<PrivateAnswer> {
  const { data, head, next, as_of } = await statementPage(request)
  const texts = boundedTexts(data, (entry) => entry)
  const last = texts.length < data.length ? data[texts.length - 1] : undefined
  const answer = { ...shownText(`[${texts.join(',')}]`), head }
  if (last === undefined) return { ...answer, next }
  return { ...answer, next: { as_of, key: [last.ledger_sequence, last.line] }, is_cut: true }
}

/** Reads a page; later ones are as of the first page's batch. */
async function statementPage(request: PrivateRequest) {
  const { trading, caller, cursor, parameters } = request
  const asked = cursor?.as_of ?? (await settledAsOf(request))
  const part = { after: cursor?.key ?? null, limit: parameters.limit as number }
  const { head, rows, next } = await trading.reads.statement(caller.account_id, filtersOf(request), asked, part)
  const data: StatementEntry[] = rows.map((entry) => statementEntryResource(caller.account_id, entry))
  const as_of = asked ?? head.at
  return { data, head, as_of, next: next === null ? null : { as_of, key: next } }
}

function filtersOf(request: PrivateRequest): StatementFilters {
  return {
    asset_id: textOrNull(request, 'asset_id'),
    market_id: textOrNull(request, 'market_id'),
    kind: textOrNull(request, 'kind') as StatementFilters['kind'],
    booked_after: instantOrNull(request, 'booked_after'),
    booked_before: instantOrNull(request, 'booked_before'),
    engine_sequence_after: integerOrNull(request, 'engine_sequence_after'),
    engine_sequence_before: integerOrNull(request, 'engine_sequence_before'),
  }
}
