import { deriveId } from '../../primitives/ids.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import { WEBHOOKS } from '../../protocol/limits.ts'
import type { WebhookEvent } from '../../protocol/resources/webhook.ts'
import type { EngineEvent, WebhookChangeEvent } from '../../trading/engine/events.ts'
import type { BatchedEvent, MarketMove, StreamReads, StreamView } from '../../trading/store/read/stream-reads.ts'
import { decodeEvent } from '../../trading/store/tailed-event.ts'
import type { TerminalReason } from '../../vocabulary/order.ts'
import { WEBHOOK_TEST_TYPE, type WebhookEventType } from '../../vocabulary/webhook.ts'
import type { PlacedEngineEvent } from '../stream/private/content.ts'
import { kindsOf } from './event-kinds.ts'
import { changedWebhook, type WebhookContent, webhookContents } from './webhook-contents.ts'

export type WebhookEventPage = {
  readonly events: readonly WebhookEvent[]
  /** Sequence up to which every event is listed. */
  readonly read_to: number
  /** Whether that is the newest of the engine. */
  readonly is_whole: boolean
}

type Asked = {
  readonly account_id: string
  readonly types: readonly WebhookEventType[]
  /** Exclusive. */
  readonly after: number
  readonly limit: number
}

/** Engine events of one read; each page is looked for in several. */
const WINDOW = 500
/** Records that are built at once at least: some turn out to be no events. */
const TAKEN = 50
const WINDOWS = WEBHOOKS.scanned_max / WINDOW

/**
 * Lists the events of an account that webhooks receive. They follow from the engine's committed events alone, so whoever asks, and
 * however often, gets the same events under the same ids.
 */
export async function readWebhookEvents(reads: StreamReads, asked: Asked): Promise<WebhookEventPage> {
  const events: WebhookEvent[] = []
  let page: WebhookEventPage = { events, read_to: asked.after, is_whole: false }
  for (let windows = 0; windows < WINDOWS && events.length < asked.limit && !page.is_whole; windows += 1) {
    const rest = { ...asked, after: page.read_to, limit: asked.limit - events.length }
    page = await reads.together((view) => readWindow(view, rest))
    events.push(...page.events)
  }
  return { ...page, events }
}

/** Returns the event that a test sends. */
export function testEvent(request: WebhookChangeEvent): WebhookEvent {
  return eventOf(request, WEBHOOK_TEST_TYPE, changedWebhook(request))
}

async function readWindow(view: StreamView, { account_id, types, after, limit }: Asked): Promise<WebhookEventPage> {
  const kinds = kindsOf(types)
  const of_account = kinds.filter((kind) => kind !== 'market')
  const { engine_sequence: head } = await view.head()
  const rows = of_account.length === 0 ? [] : await view.eventsAfter(account_id, of_account, after, WINDOW)
  const moves = kinds.includes('market') ? await view.marketMoves(account_id, after, WINDOW) : []
  const end = Math.min(endOf(rows, head), endOf(moves, head))
  const candidates = [...rows.filter(mayMatter), ...moves.filter(({ is_own }) => is_own)]
    .filter(({ engine_sequence }) => engine_sequence <= end)
    .sort((a, b) => a.engine_sequence - b.engine_sequence)
  const taken = candidates.slice(0, Math.max(limit, TAKEN))
  const contents = await contentsOf(view, taken)
  const wanted = new Set<string>(types)
  const events = taken.flatMap((row) => {
    const content = contents.get(row.engine_sequence)
    if (content === undefined || !wanted.has(content.type)) return []
    return [eventOf({ ...row, account_id }, content.type, content.data)]
  })
  const shown = events.slice(0, limit)
  const is_cut = shown.length < events.length
  const last = taken.length < candidates.length ? taken.at(-1)!.engine_sequence : Math.max(end, after)
  const read_to = is_cut ? shown.at(-1)!.sequence : last
  return { events: shown, read_to, is_whole: read_to >= head }
}

/** A window that is not full reaches to the newest event. */
function endOf(rows: readonly BatchedEvent[], head: number): number {
  return rows.length < WINDOW ? head : rows.at(-1)!.engine_sequence
}

/** Ends that the account did not ask for itself. */
const IMPOSED: readonly (TerminalReason | null)[] = [
  'RISK_ACTION',
  'MARKET_MAKER_PROTECTION',
  'SELF_TRADE_PREVENTION',
  'REDUCE_ONLY',
  'CANCEL_AFTER',
  'CANCEL_ON_PAUSE',
  'MARKET_CLOSED',
]

/** Leaves out the many moves of orders that are no webhook events. */
function mayMatter({ kind, body }: BatchedEvent): boolean {
  if (kind !== 'order') return true
  const { status, terminal_reason } = body as Pick<
    Extract<EngineEvent, { kind: 'order' }>,
    'status' | 'terminal_reason'
  >
  return status === 'failed' || (status === 'canceled' && IMPOSED.includes(terminal_reason))
}

async function contentsOf(
  view: StreamView,
  rows: readonly (BatchedEvent | MarketMove)[],
): Promise<ReadonlyMap<number, WebhookContent>> {
  const placed = rows.filter((row) => row.kind !== 'market').map(placedEvent)
  const contents = await webhookContents(view, placed)
  for (const row of rows) {
    const content = 'is_own' in row ? moveOfMarket(row) : null
    if (content !== null) contents.set(row.engine_sequence, content)
  }
  return contents
}

function placedEvent(row: BatchedEvent): PlacedEngineEvent {
  const { batch_sequence, last_engine_sequence } = row
  return { event: decodeEvent(row), batch_sequence, last_engine_sequence } as PlacedEngineEvent
}

const MARKET_TYPES: Readonly<Record<string, WebhookEventType>> = {
  paused: 'market.paused',
  closed: 'market.closed',
  resolved: 'market.resolved',
  voided: 'market.voided',
}

/** A market that states its status again, with other terms, has not moved. */
function moveOfMarket({ body, previous_status, engine_sequence }: MarketMove): WebhookContent | null {
  const { market_id, status } = body as Extract<EngineEvent, { kind: 'market' }>
  if (status === previous_status) return null
  const resumed = status === 'open' && previous_status === 'paused'
  const type = resumed ? 'market.resumed' : MARKET_TYPES[status]
  return type === undefined ? null : { type, data: { market_id, status, engine_sequence } }
}

type Origin = { readonly account_id: string; readonly engine_sequence: number; readonly at: Micros }

/** The id follows from the account and the engine's event: every way to the event finds the same. */
function eventOf({ account_id, engine_sequence, at }: Origin, event_type: WebhookEvent['event_type'], data: object) {
  return {
    event_id: deriveId('whe', account_id, engine_sequence),
    event_type,
    account_id,
    sequence: engine_sequence,
    occurred_at: formatMicros(at),
    data: data as Readonly<Record<string, unknown>>,
  }
}
