import Type, { type TSchema } from 'typebox'
import { ORDER_STATUSES } from '../../vocabulary/order.ts'
import { SETTLEMENT_STATES } from '../../vocabulary/settlement.ts'
import { MARKET_ID } from '../endpoints/market-endpoints.ts'
import { AccountPolicy } from '../resources/account-policy.ts'
import { Adjustment } from '../resources/adjustment.ts'
import { Balance } from '../resources/balance.ts'
import { Fill } from '../resources/fill.ts'
import { Order } from '../resources/order.ts'
import { Position } from '../resources/position.ts'
import { Settlement } from '../resources/settlement.ts'
import { idOf } from '../scalars.ts'
import type { Scope } from '../signing/scopes.ts'

/** One topic of an account: what its messages are, and what a key needs to hear them. */
export type PrivateTopic = {
  readonly topic: string
  readonly description: string
  readonly scope: Scope
  /** Filters by name; none is required: account_id is that of the key. */
  readonly filters: Readonly<Record<string, TSchema>>
  readonly kinds: readonly string[]
  readonly data: TSchema
  /** What the messages are that follow `subscribed` in snapshot mode. */
  readonly snapshot_of: string
  /** Where the same resource is read. */
  readonly rest_path: string
  readonly known_gaps: readonly string[]
}

const ACCOUNT = { account_id: idOf('acct', 'account_id; the account of the key, which is meant where it is left out') }
const ACCOUNT_AND_MARKET = { ...ACCOUNT, market_id: MARKET_ID }

const PRIVATE_TOPICS = {
  'account.order': {
    topic: 'account.order',
    description: 'Every move of every order; kind is the status that it has by then.',
    scope: 'orders:read',
    filters: ACCOUNT_AND_MARKET,
    kinds: ORDER_STATUSES,
    data: Order,
    snapshot_of: 'orders that have not ended',
    rest_path: '/orders',
    known_gaps: [],
  },
  'account.fill': {
    topic: 'account.fill',
    description: 'Every fill, and every adjustment of one.',
    scope: 'orders:read',
    filters: ACCOUNT_AND_MARKET,
    kinds: ['fill', 'adjustment'],
    data: Type.Union([Fill, Adjustment]),
    snapshot_of: 'the newest fills',
    rest_path: '/fills',
    known_gaps: ['settlement_state is that of the moment: how it goes on is told by account.settlement'],
  },
  'account.position': {
    topic: 'account.position',
    description: 'What is held of an outcome, after every change of it.',
    scope: 'account:read',
    filters: ACCOUNT_AND_MARKET,
    kinds: ['updated'],
    data: Position,
    snapshot_of: 'all positions',
    rest_path: '/positions',
    known_gaps: [
      'a mark that moves is no message: mark_price, market_value and unrealized_pnl are those of the moment',
    ],
  },
  'account.balance': {
    topic: 'account.balance',
    description: 'Money in an asset, after every change of it.',
    scope: 'account:read',
    filters: ACCOUNT,
    kinds: ['updated'],
    data: Balance,
    snapshot_of: 'all balances',
    rest_path: '/balances',
    known_gaps: [],
  },
  'account.settlement': {
    topic: 'account.settlement',
    description: 'Every settlement from the fill on, and every move of one; kind is the state that it has by then.',
    scope: 'settlement:read',
    filters: ACCOUNT_AND_MARKET,
    kinds: SETTLEMENT_STATES,
    data: Settlement,
    snapshot_of: 'settlements that are pending, submitted or failed',
    rest_path: '/settlements',
    known_gaps: ['an adjustment of a fill whose settlement is confirmed is told by account.fill alone'],
  },
  'account.risk': {
    topic: 'account.risk',
    description: 'The rules that the account trades under: policy, limits, whether it is blocked, its dead-man switch.',
    scope: 'account:read',
    filters: ACCOUNT,
    kinds: ['updated'],
    data: AccountPolicy,
    snapshot_of: 'the policy in force',
    rest_path: '/account/policy',
    known_gaps: [],
  },
} as const satisfies Record<string, PrivateTopic>

export type PrivateTopicName = keyof typeof PRIVATE_TOPICS
export const PRIVATE_TOPIC_NAMES = Object.keys(PRIVATE_TOPICS) as PrivateTopicName[]

/** One topic, typed as the general form. */
export function privateTopicOf(name: PrivateTopicName): PrivateTopic {
  return PRIVATE_TOPICS[name]
}

/** Whether a topic is one of an account. */
export function isPrivateTopic(name: string): name is PrivateTopicName {
  return Object.hasOwn(PRIVATE_TOPICS, name)
}
