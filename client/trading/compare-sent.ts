import { shown } from '../given.ts'
import { misshapen, recordsOf } from '../http/answer.ts'

type Fields = Readonly<Record<string, unknown>>
/** Fields of a body, each with the field of the answer that repeats it. */
type Repeated = Readonly<Record<string, string>>

const itself = (...names: readonly string[]): Repeated => Object.fromEntries(names.map((name) => [name, name]))

/** Terms of an order that its projection repeats. */
export const ORDER: Repeated = {
  ...itself('account_id', 'market_id', 'outcome_id', 'side', 'client_order_id', 'limit_price'),
  quantity: 'original_quantity',
}
export const TRANSFER = itself('account_id', 'direction', 'asset_id', 'amount', 'destination')

/**
 * Returns the answer to a write if it is about what was sent.
 * @throws {TidemarkError} SERVICE_UNAVAILABLE, not retryable: it is about something else, so what came of the write is not known
 */
export function aboutSent<T>(answer: T, sent: object, fields: Repeated): T {
  const [ours, theirs] = [sent, answer ?? {}] as readonly Fields[] as readonly [Fields, Fields]
  const other = Object.entries(fields).find(([name, repeated]) => plain(ours[name]) !== plain(theirs[repeated]))
  if (other === undefined) return answer
  const [name, repeated] = other
  const what = `${repeated} is ${shown(theirs[repeated])}; sent: ${shown(ours[name])}`
  throw misshapen(`${what}; ask what came of it, and do not send it again`, null, answer)
}

/** Returns the answers to a list of orders if each is about its own. @throws as aboutSent */
export function aboutOrders<T extends { readonly status: string }>(
  answers: readonly T[],
  sent: readonly object[],
  placedOf: (answer: T) => unknown,
): readonly T[] {
  aboutSent(recordsOf(answers), { length: sent.length }, itself('length'))
  answers.forEach((answer, index) => {
    aboutSent(answer, { index }, itself('index'))
    if (answer.status === 'accepted') aboutSent(placedOf(answer), sent[index]!, ORDER)
  })
  return answers
}

/** Returns a value as a text; zeros at the end of a fraction have no meaning. */
function plain(value: unknown): string {
  return String(value ?? null)
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '')
}
