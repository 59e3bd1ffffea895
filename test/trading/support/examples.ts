import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { OrderIntent } from '../../../trading/order/order-intent.ts'

/** Fields of a resource that are expected, as texts. */
export type Fields = Readonly<Record<string, string>>
export type Example = {
  readonly name: string
  readonly taker_rate?: string
  readonly maker_rate?: string
  readonly shorting_permitted?: string
  readonly steps: readonly string[]
  readonly balances?: Readonly<Record<string, Fields>>
  readonly positions?: Readonly<Record<string, Fields>>
  readonly orders?: Readonly<Record<string, Fields>>
  readonly fees?: Fields
  /** Of a complementary market, by account: each with its fee and its segments. */
  readonly fills?: Fields
  readonly pool?: Fields
  /** By account and number: of its fill, or of its payout (`acct_a payout 1`). */
  readonly settlements?: Readonly<Record<string, Fields>>
  readonly market?: string
}

const FLAGS: Readonly<Record<string, Partial<OrderIntent>>> = {
  FOK: { time_in_force: 'FOK' },
  FAK: { time_in_force: 'FAK' },
  post_only: { post_only: true },
  reduce_only: { reduce_only: true },
  cancel_on_pause: { cancel_on_pause: true },
  cancel_taker: { self_trade_prevention: 'cancel_taker' },
  cancel_maker: { self_trade_prevention: 'cancel_maker' },
  cancel_both: { self_trade_prevention: 'cancel_both' },
}
const ORDER = /^(\w+) = (\w+) (BUY|SELL)(?: (YES|NO))? ([\d.]+) @ ([\d.]+)((?: \w+)*?)(?: !! (\w+))?$/

/** The examples of a file. Every scalar is a text: a decimal is compared digit by digit. */
export function readExamples(file: string): Example[] {
  return parse(readFileSync(join(import.meta.dirname, '../golden', file), 'utf8'), { schema: 'failsafe' }) as Example[]
}

/** An outcome as examples name it; YES where none is named. */
export function outcomeOf(name: string | undefined): string {
  return name === 'NO' ? 'out_no' : 'out_yes'
}

export function outcomeName(outcome_id: string): string {
  return outcome_id === 'out_no' ? 'NO' : 'YES'
}

export function readOrder(text: string) {
  const [, name, account_id, side, outcome, quantity, limit_price, flags, code] = ORDER.exec(text) ?? []
  if (name === undefined) throw new Error(`no step of an example: ${text}`)
  const marked = flags!.trim().split(' ').filter(Boolean)
  const intent: Partial<OrderIntent> = {
    side: side as 'BUY' | 'SELL',
    outcome_id: outcomeOf(outcome),
    quantity: quantity!,
    limit_price: limit_price!,
    ...Object.assign({}, ...marked.map((flag) => FLAGS[flag])),
  }
  return { name, account_id: account_id!, intent, code }
}

/** Returns those of the resource's fields that are expected, as texts. */
export function texts(resource: object, fields: Fields): Fields {
  return Object.fromEntries(Object.keys(fields).map((key) => [key, String((resource as Record<string, unknown>)[key])]))
}
