import type { DatabaseCopy, StoredAnswer, StoredOrder } from './database-copy.ts'
import type { JournalAnswer, JournalEntry } from './journal.ts'

/**
 * D1 lost: acknowledged and not there, or there in an earlier state; D2 phantom: there and nobody asked for it, or its client was told
 * that there is none; D3: an unknown outcome did not end, or ended in more than one order; CHANGED: the same request was answered in
 * another way.
 */
export type JournalViolation = {
  readonly invariant_id: 'D1' | 'D2' | 'D3' | 'CHANGED'
  readonly subject: string
  readonly found: string
  readonly expected: string
}

type Shown = {
  readonly order_id: string
  readonly status: string
  readonly version: number
  readonly replacement?: Shown
  /** Results of a ladder's orders, in their order. */
  readonly orders?: readonly { readonly order_id: string | null }[]
}

/** An order that a request wrote down, and its id as it was told; null: none came of it. */
type Written = { readonly client_order_id: string; readonly order_id: string | null }

/** Compares what clients were told with what the database holds. @returns nothing where both agree */
export function compareJournals(
  entries: readonly JournalEntry[],
  { orders, answers }: DatabaseCopy,
): readonly JournalViolation[] {
  const by_client_id = grouped(orders, clientIdOf)
  const by_id = new Map(orders.map((order) => [order.order_id, order]))
  const kept = new Map(answers.map((answer) => [answerKey(answer), answer]))
  const asked = new Set(
    entries.flatMap((entry) => writtenBy(entry).map((written) => clientIdOf({ ...entry, ...written }))),
  )
  return [
    ...entries.flatMap((entry) => [
      ...answerFaults(entry, kept.get(answerKey(entry))),
      ...writtenBy(entry).flatMap((written) =>
        orderFaults(entry, written, by_client_id.get(clientIdOf({ ...entry, ...written })) ?? []),
      ),
      ...stateFaults(entry, by_id),
    ]),
    ...orders
      .filter((order) => !asked.has(clientIdOf(order)))
      .map((order) => violation('D2', `order ${order.order_id}`, order.status, 'an intent in a journal')),
  ]
}

/** Every answer is the first one, and the database would give it again. */
function answerFaults(entry: JournalEntry, kept: StoredAnswer | undefined): JournalViolation[] {
  const [first, ...others] = entry.answers
  if (first === undefined) return [violation('D3', subjectOf(entry), 'no answer', 'an answer to a retry')]
  const stored: JournalAnswer[] = kept === undefined ? [] : [{ ...kept, code: first.code, replayed: true }]
  const changed = [...others, ...stored].filter((one) => textOf(one) !== textOf(first))
  const lost = kept === undefined && first.data !== null
  return [
    ...changed.map((one) => violation('CHANGED', subjectOf(entry), textOf(one), textOf(first))),
    ...(lost ? [violation('D1', subjectOf(entry), 'no kept answer', textOf(first))] : []),
  ]
}

/** Returns a violation unless the database has as many orders of one client id as the client was answered: one or none. */
function orderFaults(
  entry: JournalEntry,
  { order_id: made }: Written,
  found: readonly StoredOrder[],
): JournalViolation[] {
  const ids = found.map(({ order_id }) => order_id).join(' ')
  const expected = made ?? ''
  if (found.length > 1) return [violation('D3', subjectOf(entry), ids, `one order ${expected}`)]
  if (ids === expected) return []
  return [violation(made === null ? 'D2' : 'D1', subjectOf(entry), ids || 'no order', expected || 'no order')]
}

/** Returns violations of orders that are missing, or stored at an older version than the client was shown. */
function stateFaults(entry: JournalEntry, by_id: ReadonlyMap<string, StoredOrder>): JournalViolation[] {
  return shownBy(entry).flatMap((shown) => {
    const order = by_id.get(shown.order_id)
    const said = `${shown.status} version ${shown.version}`
    if (order === undefined) return [violation('D1', subjectOf(entry), `no order ${shown.order_id}`, said)]
    const is_same = order.version === shown.version && order.status === shown.status
    if (is_same || order.version > shown.version) return []
    return [violation('D1', subjectOf(entry), `${order.status} version ${order.version}`, said)]
  })
}

/** Orders that an intent asked for, each with the id that it was told. A ladder's are all there, or none of them. */
function writtenBy(entry: JournalEntry): Written[] {
  const { kind, client_order_id, ladder } = entry
  const shown = dataOf(entry)
  const made = kind === 'place' ? shown : shown?.replacement
  if (client_order_id !== null) return [{ client_order_id, order_id: made?.order_id ?? null }]
  return ladder.map((id, place) => ({ client_order_id: id, order_id: shown?.orders?.[place]?.order_id ?? null }))
}

const SHOW_ORDERS: ReadonlySet<JournalEntry['kind']> = new Set(['place', 'cancel', 'amend'])

function shownBy(entry: JournalEntry): Shown[] {
  const shown = SHOW_ORDERS.has(entry.kind) ? dataOf(entry) : null
  return shown === null ? [] : [shown, ...(shown.replacement === undefined ? [] : [shown.replacement])]
}

function dataOf({ answers: [first] }: JournalEntry): Shown | null {
  return first?.data == null ? null : (JSON.parse(first.data) as Shown)
}

function textOf({ status, data }: JournalAnswer): string {
  return `${status} ${data}`
}

function subjectOf({ account_id, kind, idempotency_key }: JournalEntry): string {
  return `${account_id} ${kind} ${idempotency_key}`
}

function clientIdOf(made: { readonly account_id: string; readonly client_order_id: string | null }): string {
  return `${made.account_id} ${made.client_order_id}`
}

function answerKey({ account_id, path, idempotency_key }: Omit<StoredAnswer, 'status' | 'data'>): string {
  return `${account_id} ${path} ${idempotency_key}`
}

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group === undefined) groups.set(keyOf(item), [item])
    else group.push(item)
  }
  return groups
}

function violation(
  invariant_id: JournalViolation['invariant_id'],
  subject: string,
  found: string,
  expected: string,
): JournalViolation {
  return { invariant_id, subject, found, expected }
}
