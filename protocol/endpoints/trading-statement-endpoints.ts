import Type from 'typebox'
import { STATEMENT_KINDS } from '../../vocabulary/ledger.ts'
import { CANDLE_INTERVALS } from '../../vocabulary/market.ts'
import { AccountSummary, EquityPoint } from '../resources/account-summary.ts'
import { FeeSchedule } from '../resources/fee-schedule.ts'
import { StatementEntry } from '../resources/statement-entry.ts'
import { idOf } from '../scalars.ts'
import { AS_OF, oneOf, PAGING, type Parameter, RANGE, required, text } from './parameter.ts'
import type { PrivateEndpoint } from './private-endpoint.ts'
import { after, before, MARKET_FILTER, READ } from './trading-shared.ts'

const sequence = (description: string): Parameter => ({
  kind: 'integer',
  schema: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  description,
})

const statement = { ...READ, scope: 'account:read', tag: 'Statement', path_parameters: {} } as const

/** Endpoints of what an account has had and why, what it is worth, and what it pays. */
export const TRADING_STATEMENT_ENDPOINTS = {
  list_statement: {
    ...statement,
    stream_cursor: true,
    operation_id: 'list_statement',
    path: '/account/statement',
    summary: 'Statement of the account',
    description:
      'Every entry of the ledger in the account with its cause and what the account had after it; sorted by (ledger_sequence, line), oldest first. The entries up to an instant sum to the balances and positions of that instant. All pages of one cursor show the same instant. With kind or market_id a page may have fewer records than limit, or none, while has_more is true.',
    query: {
      asset_id: text(idOf('(asset|out)', 'asset_id'), 'only entries in this asset or outcome'),
      market_id: text(MARKET_FILTER, 'only entries about this market'),
      kind: oneOf([...STATEMENT_KINDS, 'fee'], 'only entries of this cause; fee: entries that show a fee other than 0'),
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
  get_account_summary: {
    ...statement,
    stream_cursor: true,
    cost: 2,
    operation_id: 'get_account_summary',
    path: '/account/summary',
    summary: 'Summary of the account',
    description:
      'Money, holdings at mark, projected equity, buying power, exposure by market and event, and profit and loss of the day, week, month and in all. A value that needs a mark which does not exist is null, and the outcome is named.',
    query: AS_OF,
    data: AccountSummary,
    envelope: 'single',
    errors: [],
  },
  list_equity_history: {
    ...statement,
    cost: 4,
    operation_id: 'list_equity_history',
    path: '/account/equity-history',
    summary: 'Equity over time',
    description:
      'What the account was worth at each multiple of interval in [start_time, end_time), in UTC; sorted by (at, asset_id). Instants after now are left out.',
    query: {
      start_time: required(RANGE.start_time),
      end_time: required(RANGE.end_time),
      interval: required(oneOf(CANDLE_INTERVALS, 'distance of the instants')),
      asset_id: text(idOf('asset', 'asset_id'), 'only equity in this asset'),
    },
    data: EquityPoint,
    envelope: 'collection',
    errors: [],
  },
  list_fee_schedules: {
    ...statement,
    operation_id: 'list_fee_schedules',
    path: '/fee-schedules',
    summary: 'Fee schedules',
    description:
      'Every version of every fee schedule; sorted by (schedule_id, schedule_version). With market_id the one version under which new orders in the market are accepted. All accounts pay the same rates. A fill names its schedule and version.',
    query: {
      schedule_id: text(Type.String({ minLength: 1, maxLength: 140 }), 'only versions of this schedule'),
      market_id: text(MARKET_FILTER, 'only the version in force for new orders in this market'),
      ...PAGING,
    },
    data: FeeSchedule,
    envelope: 'collection',
    errors: ['MARKET_NOT_FOUND'],
  },
} as const satisfies Record<string, PrivateEndpoint>
