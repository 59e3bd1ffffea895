import type { Market } from '../../../protocol/resources/market.ts'
import { addDecimals, compareDecimals, subtractDecimals, trimZeros } from '../../data/decimal-text.ts'

/** Acts of the ticket that a key stands for. */
export type KeyAct =
  | 'buy'
  | 'sell'
  | 'outcome'
  | 'price'
  | 'quantity'
  | 'up'
  | 'down'
  | 'preview'
  | 'send'
  | 'cancel'
  | 'help'

/** Keys with what they do, as the page and its documentation list them. */
export const TICKET_KEYS: readonly (readonly [keys: string, effect: string])[] = [
  ['b, s', 'side BUY, side SELL'],
  ['o', 'the other outcome'],
  ['p, q', 'to the price, to the quantity'],
  ['↑ ↓', 'in the price: one tick up or down'],
  ['Enter', 'sign and preview'],
  ['Ctrl+Enter', 'send the previewed order'],
  ['Esc', 'drop the preview, then the order'],
  ['?', 'show or hide this list'],
]

const LETTERS: Readonly<Record<string, KeyAct>> = {
  b: 'buy',
  s: 'sell',
  o: 'outcome',
  p: 'price',
  q: 'quantity',
  '?': 'help',
}

type Pressed = {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
}

/** Kind of element that has the focus: a field that takes text, that of the price, or anything else. */
export type FocusPlace = 'text' | 'price' | 'other'

/** Returns the act of a key; null: it means nothing here. */
export function keyActOf({ key, ctrlKey, metaKey, altKey }: Pressed, place: FocusPlace): KeyAct | null {
  if (altKey) return null
  if (key === 'Enter') return ctrlKey || metaKey ? 'send' : place === 'other' ? null : 'preview'
  if (ctrlKey || metaKey) return null
  if (key === 'Escape') return 'cancel'
  if (place === 'price' && (key === 'ArrowUp' || key === 'ArrowDown')) return key === 'ArrowUp' ? 'up' : 'down'
  return place === 'other' ? (LETTERS[key] ?? null) : null
}

const DECIMAL = /^(0|[1-9]\d{0,15})(\.\d{1,9})?$/

type Grid = Partial<Pick<NonNullable<Market['trading_parameters']>, 'price_min' | 'price_max' | 'price_increment'>>

/**
 * Returns the next price of the grid above or below a text, within its bounds. From no price it begins at the bound it moves away from; a
 * price between two steps moves to the next one. null: the grid is not known.
 */
export function steppedPrice(text: string, direction: 'up' | 'down', grid: Grid | null): string | null {
  const { price_min: min, price_max: max, price_increment: step } = grid ?? {}
  if (min == null || max == null || step == null) return null
  const [first, last] = direction === 'up' ? [min, max] : [max, min]
  if (!DECIMAL.test(text)) return trimZeros(first)
  const toward = (price: string) => (direction === 'up' ? addDecimals(price, step) : subtractDecimals(price, step))
  const isBeyond = (price: string) => compareDecimals(price, last) === (direction === 'up' ? 1 : -1)
  const floor = flooredTo(text, min, step)
  const is_between = compareDecimals(floor, text) !== 0
  const next = direction === 'down' && is_between ? floor : toward(floor)
  if (isBeyond(next)) return trimZeros(last)
  return compareDecimals(next, first) === (direction === 'up' ? -1 : 1) ? trimZeros(first) : trimZeros(next)
}

/** Returns the greatest step at or below a price, counted from the least price. */
function flooredTo(price: string, min: string, step: string): string {
  const digits = Math.max(...[price, min, step].map((text) => text.split('.')[1]?.length ?? 0))
  const whole = (text: string) => {
    const [integer, fraction = ''] = text.split('.')
    return BigInt(`${integer}${fraction.padEnd(digits, '0')}`)
  }
  const over = whole(price) - whole(min)
  const rest = ((over % whole(step)) + whole(step)) % whole(step)
  const text = String(whole(price) - rest).padStart(digits + 1, '0')
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
}
