import Type, { type Static } from 'typebox'
import { STATEMENT_BUCKETS, STATEMENT_KINDS } from '../../vocabulary/ledger.ts'
import { Count, closed, Decimal, Id, Instant, orNull, Sequence, Text, texts } from '../scalars.ts'

const idOrNull = (description: string) => orNull(Id, description)

/** One line of the ledger in an account, its cause, and what the account had after it. */
export const StatementEntry = Type.Object(
  {
    entry_id: Id,
    account_id: Id,
    ledger_sequence: Sequence,
    line: Type.Integer({ minimum: 0, description: 'ordinal of the line in its transaction' }),
    engine_sequence: Sequence,
    booked_at: Instant,
    kind: texts(STATEMENT_KINDS, 'cause of the entry'),
    asset_id: Type.String({ ...Id, description: 'the asset, or the outcome that is held' }),
    bucket: texts(STATEMENT_BUCKETS, 'field of the balance or position that the entry changes'),
    amount: Decimal,
    bucket_after: Type.String({ ...Decimal, description: 'value of that field after the entry' }),
    total_after: Type.String({
      ...Decimal,
      description: 'total of the balance, or net_quantity of the position, after the entry',
    }),
    fee: orNull(
      Decimal,
      'fee of the fill, also 0, or its change by the adjustment; on the first entry of each in money, so that the column sums to the fees',
    ),
    schedule_id: orNull(Text, 'fee schedule of that fee'),
    schedule_version: orNull(Count),
    market_id: orNull(Id),
    outcome_id: orNull(Id),
    order_id: idOrNull('order that the entry is about, or whose fill it is about'),
    fill_id: orNull(Id),
    trade_id: orNull(Id),
    settlement_id: orNull(Id),
    adjustment_id: orNull(Id),
    resolution_id: orNull(Id),
    transfer_id: orNull(Text, 'deposit or withdrawal'),
  },
  { ...closed, title: 'StatementEntry' },
)
export type StatementEntry = Static<typeof StatementEntry>
