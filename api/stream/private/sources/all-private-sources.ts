import type { PrivateTopicName } from '../../../../protocol/stream/private-topics.ts'
import type { PrivateSource } from '../content.ts'
import { BALANCES } from './balances.ts'
import { FILLS } from './fills.ts'
import { ORDERS } from './orders.ts'
import { POSITIONS } from './positions.ts'
import { RISK } from './risk.ts'
import { SETTLEMENTS } from './settlements.ts'

/** The source of every private topic: a topic without one does not compile. */
export const PRIVATE_SOURCES: Readonly<Record<PrivateTopicName, PrivateSource>> = {
  'account.order': ORDERS,
  'account.fill': FILLS,
  'account.position': POSITIONS,
  'account.balance': BALANCES,
  'account.settlement': SETTLEMENTS,
  'account.risk': RISK,
}
