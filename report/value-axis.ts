import { Decimal, type DecimalString, formatDecimal } from '../primitives/decimal.ts'
import { type Box, px } from './chart-size.ts'
import { type Markup, markup } from './markup.ts'

/** Range of the vertical axis with its labeled values from low to high. */
export type ValueDomain = { readonly low: Decimal; readonly high: Decimal; readonly ticks: readonly DecimalString[] }

/** Vertical place of a decimal string in a box. Decimals are used for the place alone; nothing drawn is printed back. */
export function valueScale(
  { low, high }: ValueDomain,
  { top, bottom }: Box,
): (value: DecimalString | Decimal) => number {
  const span = high.minus(low)
  return (value) => bottom - Number(new Decimal(value).minus(low).div(span).toFixed(6)) * (bottom - top)
}

/** Smallest span around equal values: a few units of the last published digit, so no label is longer than a level. */
const EQUAL_SPAN_MIN = '0.0004'

/** Steps between labels are 1, 2, 2.5 or 5 of a power of ten. */
const MANTISSAS = ['1', '2', '2.5', '5', '10'] as const

/**
 * A domain around values with round ends and about `count` labels. Equal values get room on both sides.
 * @param options.zero  the axis starts (or ends) at zero, as areas need it
 */
export function valueDomain(
  values: readonly DecimalString[],
  options: { readonly count: number; readonly zero?: boolean },
): ValueDomain {
  const decimals = [...values.map((value) => new Decimal(value)), ...(options.zero === true ? [new Decimal(0)] : [])]
  const [low, high] = [Decimal.min(...decimals), Decimal.max(...decimals)]
  const span = low.eq(high) ? Decimal.max(low.abs().times('0.02'), EQUAL_SPAN_MIN) : high.minus(low)
  const step = roundStep(span.div(options.count))
  const from = (low.eq(high) ? low.minus(step) : low).div(step).floor().times(step)
  const to = (low.eq(high) ? high.plus(step) : high).div(step).ceil().times(step)
  return { low: from, high: to, ticks: labels(from, to, step) }
}

/** A fixed domain with labels every `step`. */
export function fixedDomain(low: DecimalString, high: DecimalString, step: DecimalString): ValueDomain {
  const [from, to, by] = [new Decimal(low), new Decimal(high), new Decimal(step)]
  return { low: from, high: to, ticks: labels(from, to, by) }
}

function roundStep(rough: Decimal): Decimal {
  const power = new Decimal(10).pow(rough.e)
  const mantissa = MANTISSAS.find((candidate) => power.times(candidate).gte(rough))!
  return power.times(mantissa)
}

function labels(from: Decimal, to: Decimal, step: Decimal): DecimalString[] {
  const found: DecimalString[] = []
  for (let value = from; value.lte(to); value = value.plus(step)) found.push(formatDecimal(value, step.decimalPlaces()))
  return found
}

/** Grid lines and labels at the left of a box. */
export function valueAxis(domain: ValueDomain, box: Box): Markup {
  const place = valueScale(domain, box)
  return markup`<g class="axis values">${domain.ticks.map((value) => {
    const y = place(value)
    return markup`<line x1="${px(box.left)}" x2="${px(box.right)}" y1="${px(y)}" y2="${px(y)}"/><text x="${px(box.left - 8)}" y="${px(y + 4)}">${value}</text>`
  })}</g>`
}
