import type { PrivateEndpoint } from '../../protocol/endpoints/private-endpoint.ts'
import { costOfRows, EXPORTS } from '../../protocol/limits.ts'
import type { AnswerFormat } from '../export/answer-format.ts'
import { streamHistory } from '../export/stream-history.ts'
import { NOT_KEPT } from '../server/cache-control.ts'
import { type Exchange, waitForTokens } from '../server/exchange.ts'
import type { CursorState } from '../server/handler.ts'
import type { PrivateContext, PrivateHandler, PrivateRequest } from './private-request.ts'

/** Answers with the records of a private list as a table. It reads the pages of the list's route; each after the first costs tokens. */
export function exportPrivate(
  context: PrivateContext,
  endpoint: PrivateEndpoint,
  exchange: Exchange,
  asked: {
    readonly request: PrivateRequest
    readonly route: PrivateHandler
    readonly format: Exclude<AnswerFormat, 'json'>
    readonly one_page: boolean
  },
): Promise<void> {
  const { request, route, format, one_page } = asked
  const { parameters, caller } = request
  const bound = { ...parameters, account_id: caller.account_id }
  const limit = one_page ? parameters.limit! : EXPORTS.page_rows
  const pageAt = (cursor: CursorState | null) =>
    context.turns.run(caller.account_id, async () => {
      const { data, next = null } = await route({ ...request, cursor, parameters: { ...parameters, limit } })
      return { data: JSON.parse(data!) as readonly object[], next }
    })
  exchange.headers.push('cache-control', NOT_KEPT)
  return streamHistory(context, exchange, {
    ...{ endpoint, format, one_page, expand: [], turn: caller.account_id },
    open: async () => ({ first: await pageAt(request.cursor), after: pageAt }),
    spend: () =>
      waitForTokens(context, exchange, endpoint.limit_class, costOfRows(endpoint.cost, EXPORTS.page_rows), caller),
    cursorText: (next) => context.cursors.write(endpoint.operation_id, bound, next),
  })
}
