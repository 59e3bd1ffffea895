import { formatMicros, MICROS_PER_DAY, type Micros } from '../primitives/instants.ts'
import { MONTH_NAMES } from '../vocabulary/month.ts'
import { type Box, px } from './chart-size.ts'
import { type Markup, markup } from './markup.ts'

/** Range of the horizontal axis: [from, to). */
export type TimeDomain = { readonly from: Micros; readonly to: Micros }

/** A labeled instant; `context` (the day or the year) is written under the first label and where it changes. */
export type TimeTick = { readonly at: Micros; readonly label: string; readonly context: string | null }

/** Horizontal place of an instant in a box. */
export function timeScale({ from, to }: TimeDomain, { left, right }: Box): (at: Micros) => number {
  const span = Math.max(to - from, 1)
  return (at) => left + ((at - from) / span) * (right - left)
}

const SECOND = 1_000_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const STEPS: readonly Micros[] = [
  ...[1, 5, 15, 30].map((n) => n * SECOND),
  ...[1, 5, 15, 30].map((n) => n * MINUTE),
  ...[1, 3, 6, 12].map((n) => n * HOUR),
  ...[1, 2, 7].map((n) => n * MICROS_PER_DAY),
]
const MONTH_STEPS = [1, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 6000] as const
/** 1970-01-05, a Monday: weeks are counted from here. */
const FIRST_MONDAY = 4 * MICROS_PER_DAY

/** Round instants of a domain, UTC, at most `count_max` of them (at least 2). */
export function timeTicks(domain: TimeDomain, count_max: number): readonly TimeTick[] {
  const instants = roundInstants(domain, Math.max(count_max, 2))
  const days = instants.every((at) => at % MICROS_PER_DAY === 0)
  const months = days && instants.every((at) => /-(01|15)T/.test(formatMicros(at)))
  let last: string | null = null
  return instants.map((at) => {
    const { label, context } = days ? dayLabel(at, months) : clockLabel(at)
    const changed = context !== last
    last = context
    return { at, label, context: changed ? context : null }
  })
}

function roundInstants(domain: TimeDomain, count_max: number): readonly Micros[] {
  for (const step of STEPS) {
    if ((domain.to - domain.from) / step > count_max) continue
    const found = multiples(domain, step, step === 7 * MICROS_PER_DAY ? FIRST_MONDAY : 0)
    if (found.length <= count_max) return found
  }
  const halves = halfMonths(domain)
  if (halves.length <= count_max) return halves
  const months = MONTH_STEPS.find((step) => monthStarts(domain, step).length <= count_max) ?? MONTH_STEPS.at(-1)!
  return monthStarts(domain, months)
}

function multiples({ from, to }: TimeDomain, step: Micros, origin: Micros): Micros[] {
  const found: Micros[] = []
  for (let at = Math.ceil((from - origin) / step) * step + origin; at < to; at += step) found.push(at)
  return found
}

function monthStarts({ from, to }: TimeDomain, months: number): Micros[] {
  const found: Micros[] = []
  const year = new Date(from / 1000).getUTCFullYear() * 12
  const first = Math.floor(year / months) * months
  for (let month = first; ; month += months) {
    const at = Date.UTC(Math.floor(month / 12), month % 12, 1) * 1000
    if (at >= to) return found
    if (at >= from) found.push(at)
  }
}

/** The 1st and the 15th of each month. */
function halfMonths(domain: TimeDomain): Micros[] {
  const before = { from: domain.from - 31 * MICROS_PER_DAY, to: domain.to }
  const days = monthStarts(before, 1).flatMap((first) => [first, first + 14 * MICROS_PER_DAY])
  return days.filter((at) => at >= domain.from && at < domain.to)
}

/** A first of the month is named by its month alone where only months and their middles are labeled. */
function dayLabel(at: Micros, months: boolean): { label: string; context: string } {
  const [year, month, day] = formatMicros(at).slice(0, 10).split('-') as [string, string, string]
  const name = MONTH_NAMES[+month - 1]!
  return { label: day === '01' && months ? name : `${+day} ${name}`, context: year }
}

function clockLabel(at: Micros): { label: string; context: string } {
  const text = formatMicros(at)
  const [hours, minutes, seconds] = text.slice(11, 19).split(':') as [string, string, string]
  const day = dayLabel(at, false)
  const label = seconds === '00' ? `${hours}:${minutes}` : `${hours}:${minutes}:${seconds}`
  return { label, context: `${day.label} ${day.context}` }
}

const LABEL_WIDTH = 76

/** The axis under a box, at `y`: tick lines, labels, and UTC said once. */
export function timeAxis(domain: TimeDomain, box: Box, y: number): Markup {
  const place = timeScale(domain, box)
  const ticks = timeTicks(domain, Math.floor((box.right - box.left) / LABEL_WIDTH))
  return markup`<g class="axis"><line x1="${px(box.left)}" x2="${px(box.right)}" y1="${px(y)}" y2="${px(y)}"/>${ticks.map(
    ({ at, label, context }) => {
      const x = px(place(at))
      const below = context === null ? null : markup`<text x="${x}" y="${px(y + 29)}" class="context">${context}</text>`
      return markup`<line x1="${x}" x2="${x}" y1="${px(y)}" y2="${px(y + 4)}"/><text x="${x}" y="${px(y + 16)}">${label}</text>${below}`
    },
  )}<text x="${px(box.right + 20)}" y="${px(y + 16)}" class="context start">UTC</text></g>`
}

/** Height of an axis with both rows of labels. */
export const TIME_AXIS_HEIGHT = 34
