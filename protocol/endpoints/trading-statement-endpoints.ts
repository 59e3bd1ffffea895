import Type from 'typebox'
import { STATEMENT_KINDS } from '../../vocabulary/ledger.ts'
import { StatementEntry } from '../resources/statement-entry.ts'
import { idOf } from '../scalars.ts'
import { AS_OF, oneOf, PAGING, type Parameter, text } from './parameter.ts'
import type { PrivateEndpoint } from './private-endpoint.ts'
import { after, before, MARKET_FILTER, READ } from './trading-shared.ts'

const sequence = (description: string): Parameter => ({
  kind: 'integer',
  schema: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  description,
})

/** Endpoints of what an account has had and why. */
export const TRADING_STATEMENT_ENDPOINTS = {
  list_statement: {
    ...READ,
    operation_id: 'list_statement',
    scope: 'account:read',
    tag: 'Statement',
    stream_cursor: true,
    path: '/account/statement',
    summary: 'Statement of the account',
    description:
      'Every entry of the ledger in the account with its cause and what the account had after it; sorted by (ledger_sequence, line), oldest first. The entries up to an instant sum to the balances and positions of that instant. All pages of one cursor show the same instant. With kind or market_id a page may have fewer records than limit, or none, while has_more is true.',
    path_parameters: {},
    query: {
      asset_id: text(idOf('(asset|out)', 'asset_id'), 'only entries in this asset or outcome'),
      market_id: text(MARKET_FILTER, 'only entries about this market'),
      kind: oneOf([...STATEMENT_KINDS, 'fee'], 'only entries of this cause; fee: entries that show a fee'),
      booked_after: after('entries booked'),
      booked_before: before('entries booked'),
      engine_sequence_after: sequence('only entries with a greater engine_sequence'),
      engine_sequence_before: sequence('only entries with a lesser engine_sequence'),
      ...AS_OF,
      ...PAGING,
    },
    data: StatementEntry,
    envelope: 'collection',
    is_history: true,
    errors: ['VALIDATION_RANGE_INVALID'],
  },
} as const satisfies Record<string, PrivateEndpoint>
