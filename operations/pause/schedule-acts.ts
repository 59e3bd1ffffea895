import type { Instant, Micros } from '../../primitives/instants.ts'
import type { ScheduleActKind } from '../../vocabulary/schedules.ts'

/** Stored act of a person on a schedule: the one record of what is paused. */
export type ScheduleAct = {
  readonly schedule_id: string
  readonly act: ScheduleActKind
  /** Person or program that acted. */
  readonly actor: string
  readonly reason: string
  /** Range that was made up for; null for the other acts. */
  readonly range: Span | null
  /** Publication instant, from which the act holds. */
  readonly at: Micros
  readonly acted_at: Instant
}

/** Instants [from, to). */
export type Span = { readonly from: Micros; readonly to: Micros }

/** Person who paused a schedule, with instant and reason. */
type PausedBy = { readonly paused_by: string; readonly paused_at: Instant; readonly reason: string }

/** Pause that holds, since its first act. */
export type Pause = PausedBy & {
  readonly schedule_id: string
  /** Others who paused it too, or for another reason; resuming ends all. Left out: nobody. */
  readonly also?: readonly PausedBy[]
}

/** Returns the pauses that hold after some acts, by schedule. Pure. @param acts in the order of their publication */
export function standingPauses(acts: readonly ScheduleAct[]): ReadonlyMap<string, Pause> {
  const standing = new Map<string, Pause>()
  for (const { schedule_id, act, actor, reason, acted_at } of acts) {
    if (act === 'resumed') standing.delete(schedule_id)
    if (act !== 'paused') continue
    const by = { paused_by: actor, paused_at: acted_at, reason }
    const first = standing.get(schedule_id)
    standing.set(
      schedule_id,
      first === undefined ? { schedule_id, ...by } : { ...first, also: [...(first.also ?? []), by] },
    )
  }
  return standing
}

/**
 * Returns the spans in which a schedule was paused, in order; one that still is has no end. A tick whose instant is in a span
 * is withheld: neither a restart nor a late publication makes up for it. Pure.
 */
export function pausedSpans(acts: readonly ScheduleAct[], schedule_id: string): Span[] {
  const spans: Span[] = []
  let from: Micros | null = null
  for (const { act, at } of acts.filter((one) => one.schedule_id === schedule_id)) {
    if (act === 'paused') from ??= at
    if (act !== 'resumed' || from === null) continue
    spans.push({ from, to: at })
    from = null
  }
  return from === null ? spans : [...spans, { from, to: Number.POSITIVE_INFINITY }]
}

/** Returns the spans of a schedule that are over and that nobody has made up for. Pure. */
export function spansToMakeUp(acts: readonly ScheduleAct[], schedule_id: string): Span[] {
  const made_up = acts.flatMap(({ schedule_id: of, range }) => (of === schedule_id && range !== null ? [range] : []))
  const is_open = ({ from, to }: Span) =>
    Number.isFinite(to) && !made_up.some((range) => range.from <= from && to <= range.to)
  return pausedSpans(acts, schedule_id).filter(is_open)
}

/** True if an instant is in a span. Pure. */
export function isWithheld(spans: readonly Span[], at: Micros): boolean {
  return spans.some(({ from, to }) => from <= at && at < to)
}

/** True if a tick is the first after a span: it states everything anew, because the ticks of the span were not published. Pure. */
export function isFirstAfter(spans: readonly Span[], tick_at: Micros, step: Micros): boolean {
  return !isWithheld(spans, tick_at) && isWithheld(spans, tick_at - step)
}
