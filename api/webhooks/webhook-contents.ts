import { invariant } from '../../primitives/errors.ts'
import type { Settlement } from '../../protocol/resources/settlement.ts'
import type {
  EngineEvent,
  KeyEvent,
  OrderEvent,
  TransferEvent,
  WebhookChangeEvent,
} from '../../trading/engine/events.ts'
import { apiKeyResource } from '../../trading/projections/api-key.ts'
import { orderResource } from '../../trading/projections/order.ts'
import { movesAt, ReachedStates } from '../../trading/projections/order-at.ts'
import { transferResource } from '../../trading/projections/transfer.ts'
import { webhookResource } from '../../trading/projections/webhook.ts'
import type { StreamView } from '../../trading/store/read/stream-reads.ts'
import { ORDER_STATUSES, type OrderStatus } from '../../vocabulary/order.ts'
import type { WebhookEventType } from '../../vocabulary/webhook.ts'
import { eventsOf, type PlacedEngineEvent, type PrivateSource } from '../stream/private/content.ts'
import { FILLS } from '../stream/private/sources/fills.ts'
import { RISK } from '../stream/private/sources/risk.ts'
import { SETTLEMENTS } from '../stream/private/sources/settlements.ts'
import type { AccountKind } from './event-kinds.ts'

/** Type and data of a webhook event, by the sequence of its engine event. */
export type WebhookContent = { readonly type: WebhookEventType; readonly data: object }
export type Contents = Map<number, WebhookContent>

type Maker = (view: StreamView, events: readonly PlacedEngineEvent[], into: Contents) => Promise<void>

/** Maker of the contents of each group of kinds. Records are shown as the REST API showed them right after the event. */
const MAKERS: readonly { readonly kinds: readonly AccountKind[]; readonly make: Maker }[] = [
  { kinds: ['fill', 'settlement'], make: ofSettlements },
  { kinds: ['adjustment'], make: ofAdjustments },
  { kinds: ['account'], make: ofAccounts },
  { kinds: ['order'], make: ofOrders },
  { kinds: ['transfer'], make: ofTransfers },
  { kinds: ['key'], make: ofKeys },
  { kinds: ['webhook'], make: ofWebhooks },
]

/** Makes the contents of events of accounts. An event that is nobody's business, such as a submitted settlement, has none. */
export async function webhookContents(view: StreamView, events: readonly PlacedEngineEvent[]): Promise<Contents> {
  const contents: Contents = new Map()
  for (const { kinds, make } of MAKERS) {
    const of_kinds = events.filter(({ event }) => kinds.includes(event.kind as AccountKind))
    if (of_kinds.length > 0) await make(view, of_kinds, contents)
  }
  return contents
}

/** Returns the records that a private topic shows of events. */
async function shownBy(source: PrivateSource, view: StreamView, events: readonly PlacedEngineEvent[]) {
  const shown = await source.ofEvents(view, events, new ReachedStates())
  return shown.map(({ seq, data }) => ({ seq, data: JSON.parse(data) as object }))
}

const SETTLEMENT_PREFIX: Readonly<Record<Settlement['kind'], string>> = {
  trade_settlement: 'settlement',
  resolution_payout: 'payout',
  resolution_correction: 'payout_correction',
}

async function ofSettlements(view: StreamView, events: readonly PlacedEngineEvent[], into: Contents): Promise<void> {
  for (const { seq, data } of await shownBy(SETTLEMENTS, view, events)) {
    const settlement = data as Settlement
    const step = settlementStep(settlement, seq)
    if (step !== null)
      into.set(seq, { type: `${SETTLEMENT_PREFIX[settlement.kind]}.${step}` as WebhookEventType, data })
  }
}

/** Returns the step of a settlement that an event was: its beginning, a move, or an adjustment of its fill; null: a submission. */
function settlementStep({ state, transitions, projection_version }: Settlement, seq: number): string | null {
  if (projection_version === 1) return 'created'
  if (transitions.at(-1)?.engine_sequence !== seq) return 'adjusted'
  return state === 'submitted' || state === 'pending' ? null : state
}

async function ofAdjustments(view: StreamView, events: readonly PlacedEngineEvent[], into: Contents): Promise<void> {
  for (const { seq, data } of await shownBy(FILLS, view, events)) into.set(seq, { type: 'adjustment.created', data })
}

type AccountEvent = Extract<EngineEvent, { readonly kind: 'account' }>

/** Notes what became of an account; each event is compared with the one before. */
async function ofAccounts(view: StreamView, events: readonly PlacedEngineEvent[], into: Contents): Promise<void> {
  const shown = new Map((await shownBy(RISK, view, events)).map(({ seq, data }) => [seq, data]))
  const [first] = events
  const before = await view.eventBefore(first!.event.account_id, 'account', first!.event.engine_sequence)
  let previous = before === null ? null : (before.body as Pick<AccountEvent, 'blocked' | 'cancel_after_at'>)
  for (const { event } of eventsOf(events, 'account')) {
    const type = previous === null ? null : accountStep(previous, event)
    if (type !== null) into.set(event.engine_sequence, { type, data: shown.get(event.engine_sequence)! })
    previous = event
  }
}

/** A switch that its account disarms in time is set to none before its instant; one that fires, at it or after it. */
function accountStep(
  before: Pick<AccountEvent, 'blocked' | 'cancel_after_at'>,
  { blocked, cancel_after_at, at }: AccountEvent,
): WebhookEventType | null {
  if (before.blocked !== blocked) return blocked ? 'account.suspended' : 'account.resumed'
  const fired = before.cancel_after_at !== null && cancel_after_at === null && at >= before.cancel_after_at
  return fired ? 'account.cancel_after_fired' : null
}

const EVERY_STATUS: ReadonlySet<OrderStatus> = new Set(ORDER_STATUSES)

/** Shows orders that ended; an adjustment of an ended order is an event of it too, but not its end. */
async function ofOrders(view: StreamView, events: readonly PlacedEngineEvent[], into: Contents): Promise<void> {
  const orders = eventsOf(events, 'order').map(({ event }) => event as OrderEvent)
  const rows = new Map((await view.orders(orders.map(({ order_id }) => order_id))).map((row) => [row.order_id, row]))
  for (const event of orders) {
    const row = rows.get(event.order_id)
    invariant(row !== undefined, `order ${event.order_id} was written with its event`)
    const moves = movesAt(row, event, EVERY_STATUS)
    if ((moves.transitions as Partial<Record<OrderStatus, number>>)[event.status] !== event.at) continue
    const data = orderResource(row, row.asset_scale, moves)
    into.set(event.engine_sequence, { type: event.status === 'failed' ? 'order.failed' : 'order.canceled', data })
  }
}

async function ofTransfers(view: StreamView, events: readonly PlacedEngineEvent[], into: Contents): Promise<void> {
  const moves = eventsOf(events, 'transfer').map(({ event }) => event as TransferEvent)
  const rows = await view.transfers(moves.map(({ transfer_id }) => transfer_id))
  const by_id = new Map(rows.map((row) => [row.transfer_id, row]))
  for (const { transfer_id, state, at, engine_sequence, projection_version } of moves) {
    const row = by_id.get(transfer_id)
    invariant(row !== undefined, `transfer ${transfer_id} was written with its event`)
    const open = { state, projection_version, engine_sequence, updated_at: at, external_reference: null, reason: null }
    const then = row.projection_version === projection_version ? row : { ...row, ...open }
    into.set(engine_sequence, { type: `transfer.${state}`, data: transferResource(then, row.asset_scale) })
  }
}

async function ofKeys(view: StreamView, events: readonly PlacedEngineEvent[], into: Contents): Promise<void> {
  const changes = eventsOf(events, 'key').map(({ event }) => event as KeyEvent)
  const rows = new Map((await view.keys(changes.map(({ key_id }) => key_id))).map((row) => [row.key_id, row]))
  for (const { key_id, action, secret_version, at, engine_sequence, previous_until = null } of changes) {
    const row = rows.get(key_id)
    invariant(row !== undefined, `key ${key_id} was written with its event`)
    const is_revoked = action === 'revoked'
    const ended = { revoked_at: is_revoked ? at : null, revoke_reason: is_revoked ? row.revoke_reason : null }
    const then = { ...row, secret_version, previous_until, ...ended }
    const shown = apiKeyResource(then, { last_used_at: null, now: at })
    // A public key that was replaced since is not kept.
    const public_key = row.secret_version === secret_version ? shown.public_key : null
    into.set(engine_sequence, { type: `api_key.${action}`, data: { ...shown, public_key } })
  }
}

async function ofWebhooks(_view: StreamView, events: readonly PlacedEngineEvent[], into: Contents): Promise<void> {
  for (const { event } of eventsOf(events, 'webhook')) {
    const { action, engine_sequence } = event
    if (action === 'test_requested' || action === 'replay_requested') continue
    into.set(engine_sequence, { type: `webhook.${action}`, data: changedWebhook(event) })
  }
}

/** Returns the record of a webhook as one of its events left it. */
export function changedWebhook(event: WebhookChangeEvent): object {
  return webhookResource({ ...event, updated_at: event.at }, event.at)
}
