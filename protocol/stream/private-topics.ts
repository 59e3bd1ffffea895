import Type, { type TSchema } from 'typebox'
import { ORDER_STATUSES, PROTECTION_ACTIONS } from '../../vocabulary/order.ts'
import { SETTLEMENT_STATES } from '../../vocabulary/settlement.ts'
import { MARKET_ID } from '../endpoints/market-endpoints.ts'
import { AccountPolicy } from '../resources/account-policy.ts'
import { Adjustment } from '../resources/adjustment.ts'
import { Balance } from '../resources/balance.ts'
import { Fill } from '../resources/fill.ts'
import { MarketMakerProtection } from '../resources/market-maker-protection.ts'
import { Order } from '../resources/order.ts'
import { Position } from '../resources/position.ts'
import { Settlement } from '../resources/settlement.ts'
import { idOf } from '../scalars.ts'
import type { Scope } from '../signing/scopes.ts'

/** One private topic: its messages, and the scope that a key needs. */
export type PrivateTopic = {
  readonly topic: string
  readonly description: string
  readonly scope: Scope
  /** Filters by name; none is required. account_id is the account of the key. */
  readonly filters: Readonly<Record<string, TSchema>>
  readonly kinds: readonly string[]
  readonly data: TSchema
  /** Contents of the messages that follow `subscribed` in snapshot mode. */
  readonly snapshot_of: string
  /** REST path of the same resource. */
  readonly rest_path: string
  readonly known_gaps: readonly string[]
}

const ACCOUNT = { account_id: idOf('acct', 'account_id; default, and only accepted value: the account of the key') }
const ACCOUNT_AND_MARKET = { ...ACCOUNT, market_id: MARKET_ID }

const PRIVATE_TOPICS = {
  'account.order': {
    topic: 'account.order',
    description: 'Every change of every order; kind is the new status.',
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
    description: 'Every fill, and every adjustment of a fill.',
    scope: 'orders:read',
    filters: ACCOUNT_AND_MARKET,
    kinds: ['fill', 'adjustment'],
    data: Type.Union([Fill, Adjustment]),
    snapshot_of: 'the newest fills',
    rest_path: '/fills',
    known_gaps: ['settlement_state is a snapshot; account.settlement publishes its later changes'],
  },
  'account.position': {
    topic: 'account.position',
    description: 'The holding of an outcome, after every change.',
    scope: 'account:read',
    filters: ACCOUNT_AND_MARKET,
    kinds: ['updated'],
    data: Position,
    snapshot_of: 'all positions',
    rest_path: '/positions',
    known_gaps: [
      'a change of the mark is not published: mark_price, market_value and unrealized_pnl are those at the last change of the holding',
    ],
  },
  'account.balance': {
    topic: 'account.balance',
    description: 'The balance in an asset, after every change.',
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
    description: 'Every settlement from its fill on, and every change of it; kind is the new state.',
    scope: 'settlement:read',
    filters: ACCOUNT_AND_MARKET,
    kinds: SETTLEMENT_STATES,
    data: Settlement,
    snapshot_of: 'settlements that are pending, submitted or failed',
    rest_path: '/settlements',
    known_gaps: ['only account.fill publishes an adjustment of a fill whose settlement is confirmed'],
  },
  'account.risk': {
    topic: 'account.risk',
    description: 'The rules that the account trades under: policy, limits, block and dead-man switch.',
    scope: 'account:read',
    filters: ACCOUNT,
    kinds: ['updated'],
    data: AccountPolicy,
    snapshot_of: 'the policy in force',
    rest_path: '/account/policy',
    known_gaps: [],
  },
  'account.protection': {
    topic: 'account.protection',
    description: "Every change of a market maker's protection; kind says what happened, such as a trigger.",
    scope: 'account:read',
    filters: ACCOUNT_AND_MARKET,
    kinds: PROTECTION_ACTIONS,
    data: MarketMakerProtection,
    snapshot_of: 'protections in force',
    rest_path: '/account/market-maker-protections',
    known_gaps: ['a freeze that passes is not published: frozen_until says when it does'],
  },
} as const satisfies Record<string, PrivateTopic>

export type PrivateTopicName = keyof typeof PRIVATE_TOPICS
export const PRIVATE_TOPIC_NAMES = Object.keys(PRIVATE_TOPICS) as PrivateTopicName[]

/** Returns a topic, typed as `PrivateTopic`. */
export function privateTopicOf(name: PrivateTopicName): PrivateTopic {
  return PRIVATE_TOPICS[name]
}

/** Reports whether a topic is private. */
export function isPrivateTopic(name: string): name is PrivateTopicName {
  return Object.hasOwn(PRIVATE_TOPICS, name)
}
