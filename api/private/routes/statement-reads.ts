import type { StatementEntry } from '../../../protocol/resources/statement-entry.ts'
import { statementEntryResource } from '../../../trading/projections/statement-entry.ts'
import type { StatementFilters } from '../../../trading/store/read/trading-reads.ts'
import { type PrivateAnswer, type PrivateHandlers, type PrivateRequest, shownText } from '../private-request.ts'
import { boundedTexts } from './bounded-texts.ts'
import { instantOrNull, integerOrNull, textOrNull } from './parameters.ts'
import { settledAsOf } from './settled-as-of.ts'

export const STATEMENT_READ_ROUTES = { list_statement: listStatement } as const satisfies Partial<PrivateHandlers>

/** Later pages are as of the first page's batch. */
async function listStatement(request: PrivateRequest): Promise<PrivateAnswer> {
  const { trading, caller, cursor, parameters } = request
  const asked = cursor?.as_of ?? (await settledAsOf(request))
  const part = { after: cursor?.key ?? null, limit: parameters.limit as number }
  const { head, rows, next } = await trading.reads.statement(caller.account_id, filtersOf(request), asked, part)
  const texts = boundedTexts(rows, (entry): StatementEntry => statementEntryResource(caller.account_id, entry))
  const last = texts.length < rows.length ? rows[texts.length - 1]! : null
  const key = last === null ? next : [last.ledger_sequence, last.line]
  const as_of = asked ?? head.at
  return {
    ...shownText(`[${texts.join(',')}]`),
    head,
    next: key === null ? null : { as_of, key },
    is_cut: last !== null,
  }
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
