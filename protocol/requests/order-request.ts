import Type, { type Static } from 'typebox'
import { SELF_TRADE_MODES, SIDES, SIGNATURE_TYPES, TIMES_IN_FORCE } from '../../vocabulary/order.ts'
import { SIGNED_REQUESTS, WOULD_FILL } from '../limits.ts'
import { byTerm } from '../order/order-terms.ts'
import { closed, Instant, idOf, orNull, PLAIN_LINE, texts } from '../scalars.ts'

/** Bodies that place, replace and cancel orders. */

export const ACCOUNT_ID = idOf('acct', 'account_id; that of the key')
export const ORDER_ID = idOf('ord', 'order_id')

export const COMMAND_ID = idOf('cmd', 'command_id of a request')

export const ClientOrderId = Type.String({
  pattern: '^[A-Za-z0-9_-]{1,64}$',
  description: 'unique in the account while its order works and for 7 days after',
  examples: ['c1'],
})

export const QuoteSetId = Type.String({
  pattern: '^[A-Za-z0-9_-]{1,64}$',
  description: 'label of a ladder, which the caller chooses, for the account and the market',
  examples: ['ladder-1'],
})

/** A decimal that is signed as its digits and its number of fraction digits: "0.52" is 52 scale 2. */
const SignedDecimal = Type.String({
  pattern: '^(0|[1-9]\\d{0,19})(\\.\\d{1,18})?$',
  description: 'decimal without sign, as written; its digits and their scale are signed',
  examples: ['0.52'],
})

/** Unix seconds are signed: an instant of a whole one. */
export const SecondInstant = Type.String({
  pattern: '^(19[7-9]\\d|2[01]\\d{2})-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}Z$',
  description: 'RFC 3339 instant in UTC, whole seconds, after 1970',
  examples: ['2026-01-17T00:00:00Z'],
})

export const Address = Type.String({
  pattern: '^0x[0-9a-fA-F]{40}$',
  description: 'address of 20 bytes',
  examples: ['0x1a642f0E3c3aF545E7AcBD38b07251B3990914F1'],
})

export const Uint256 = Type.String({
  pattern: '^(0|[1-9]\\d{0,77})$',
  description: 'integer below 2^256 in decimal digits',
  examples: ['1'],
})

export const SignatureType = texts(
  SIGNATURE_TYPES,
  'eoa: a key of its own; erc1271, erc1271_erc7739: a contract, called at the service',
)
/** Its form is looked at with the signature itself. */
export const SignatureBytes = Type.String({
  minLength: 1,
  maxLength: 16_386,
  pattern: '^[\\x21-\\x7e]*$',
  description: '0x and hex; of an eoa 65 bytes with v 27 or 28',
})
/** Message that the caller believes to have signed; only compared, so that an error can name the first difference. */
export const SignedMessageEcho = Type.Record(
  Type.String({ pattern: '^[a-z0-9_]{1,64}$' }),
  Type.Union([Type.String({ maxLength: 256 }), Type.Integer(), Type.Boolean()]),
  { maxProperties: 32, description: 'the message as it was signed; optional, only for finding out what differs' },
)

export const Labels = Type.Record(
  Type.String({ pattern: '^[A-Za-z0-9_.-]{1,64}$' }),
  Type.String({ maxLength: 256, pattern: PLAIN_LINE }),
  { maxProperties: 16, description: 'at most 16 pairs of texts; they authorize nothing' },
)

const TERMS = byTerm({
  account_id: ACCOUNT_ID,
  market_id: idOf('mkt', 'market_id'),
  outcome_id: idOf('out', 'outcome_id'),
  side: texts(SIDES),
  order_type: Type.Optional(texts(['limit'], 'limit where left out')),
  decimal: SignedDecimal,
  time_in_force: texts(TIMES_IN_FORCE),
  expiry: Type.Optional(orNull(SecondInstant)),
  flag: Type.Optional(Type.Boolean({ description: 'false where left out' })),
  self_trade_prevention: texts(SELF_TRADE_MODES),
  asset_id: idOf('asset', 'asset_id'),
})

const ORDER_FIELDS = {
  client_order_id: ClientOrderId,
  ...TERMS,
  signer: Address,
  signature_type: SignatureType,
  signature_version: texts(['1']),
  order_nonce: Uint256,
  order_signature: SignatureBytes,
  labels: Type.Optional(orNull(Labels)),
  signed_message: Type.Optional(orNull(SignedMessageEcho)),
} as const

export const OrderRequest = Type.Object(ORDER_FIELDS, { ...closed, title: 'OrderRequest' })
export type OrderRequest = Static<typeof OrderRequest>

const hours = WOULD_FILL.range_ms_default / 3_600_000
const days = WOULD_FILL.range_ms_max / 86_400_000
export const PreviewRequest = Type.Object(
  {
    ...ORDER_FIELDS,
    as_of: Type.Optional(
      orNull(Instant, 'past instant of one of our own markets: how the order would have filled from its book on'),
    ),
    until: Type.Optional(
      orNull(
        Instant,
        `last instant that may be used, with as_of; at most ${days} days after it, ${hours} h if left out`,
      ),
    ),
  },
  { ...closed, title: 'PreviewRequest' },
)
export type PreviewRequest = Static<typeof PreviewRequest>

export const OrderBatchRequest = Type.Object(
  { orders: Type.Array(OrderRequest, { minItems: 1, maxItems: SIGNED_REQUESTS.batch_orders_max }) },
  { ...closed, title: 'OrderBatchRequest' },
)
export type OrderBatchRequest = Static<typeof OrderBatchRequest>

export const MassQuoteRequest = Type.Object(
  {
    market_id: idOf('mkt', 'market_id; that of every order'),
    quote_set_id: QuoteSetId,
    orders: Type.Array(OrderRequest, {
      maxItems: SIGNED_REQUESTS.mass_quote_orders_max,
      description: 'the new ladder whole; none ends the ladder',
    }),
  },
  { ...closed, title: 'MassQuoteRequest' },
)
export type MassQuoteRequest = Static<typeof MassQuoteRequest>

const Version = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'version of the projection' })

export const AmendRequest = Type.Object(
  { ...ORDER_FIELDS, expected_order_version: Version },
  {
    ...closed,
    title: 'AmendRequest',
    description: 'the new intent whole, with a client_order_id and nonce of its own',
  },
)
export type AmendRequest = Static<typeof AmendRequest>

export const AmendBatchRequest = Type.Object(
  {
    orders: Type.Array(
      Type.Object(
        { order_id: ORDER_ID, ...ORDER_FIELDS, expected_order_version: Version },
        { ...closed, title: 'AmendTarget', description: 'the order to replace, and the new intent whole' },
      ),
      { minItems: 1, maxItems: SIGNED_REQUESTS.batch_orders_max },
    ),
  },
  { ...closed, title: 'AmendBatchRequest' },
)
export type AmendBatchRequest = Static<typeof AmendBatchRequest>

const Reason = Type.String({ minLength: 1, maxLength: 256, pattern: PLAIN_LINE })

export const ClientCancelId = Type.String({
  pattern: '^[A-Za-z0-9_-]{1,64}$',
  description: "the caller's id of a cancel, kept with the orders that it cancels; need not be unique",
})

export const CancelRequest = Type.Object(
  {
    expected_order_version: Type.Optional(orNull(Version)),
    client_cancel_id: Type.Optional(orNull(ClientCancelId)),
    reason: Type.Optional(orNull(Reason)),
  },
  { ...closed, title: 'CancelRequest' },
)
export type CancelRequest = Static<typeof CancelRequest>

const CancelTarget = Type.Object(
  {
    order_id: Type.Optional(ORDER_ID),
    client_order_id: Type.Optional(ClientOrderId),
    expected_order_version: Type.Optional(orNull(Version)),
  },
  { ...closed, title: 'CancelTarget', description: 'an order by exactly one of order_id, client_order_id' },
)
export type CancelTarget = Static<typeof CancelTarget>

export const CancelBatchRequest = Type.Object(
  {
    orders: Type.Array(CancelTarget, { minItems: 1, maxItems: SIGNED_REQUESTS.batch_orders_max }),
    client_cancel_id: Type.Optional(orNull(ClientCancelId)),
    reason: Type.Optional(orNull(Reason)),
  },
  { ...closed, title: 'CancelBatchRequest' },
)
export type CancelBatchRequest = Static<typeof CancelBatchRequest>

export const CANCEL_ALL_CHOICE = 'either scope, or at least one of market_id, index_id, venue_id, cancel_on_pause_only'

export const CancelAllRequest = Type.Object(
  {
    account_id: ACCOUNT_ID,
    scope: Type.Optional(texts(['all_open_orders'], 'every working order; never a default')),
    market_id: Type.Optional(idOf('mkt', 'only orders of this market')),
    index_id: Type.Optional(idOf('idx', 'only orders of markets of the index version in force')),
    venue_id: Type.Optional(
      Type.String({ pattern: '^[a-z][a-z0-9_]{0,63}$', description: 'only orders of this venue; ours is tidemark' }),
    ),
    cancel_on_pause_only: Type.Optional(Type.Boolean({ description: 'true: only orders with cancel_on_pause' })),
    client_cancel_id: Type.Optional(orNull(ClientCancelId)),
    reason: Type.Optional(orNull(Reason)),
  },
  {
    ...closed,
    title: 'CancelAllRequest',
    description: CANCEL_ALL_CHOICE,
  },
)
export type CancelAllRequest = Static<typeof CancelAllRequest>

const { min, max } = SIGNED_REQUESTS.cancel_after_ms
export const CancelAfterRequest = Type.Object(
  {
    timeout_ms: Type.Union([Type.Literal(0), Type.Integer({ minimum: min, maximum: max })], {
      description: `milliseconds from now to the cancel of all orders, ${min} to ${max}; 0 disarms`,
    }),
  },
  { ...closed, title: 'CancelAfterRequest' },
)
export type CancelAfterRequest = Static<typeof CancelAfterRequest>
