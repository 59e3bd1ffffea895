import type { IngestFacts } from '../../operations/live/ingest-health.ts'
import { type Pauses, pauseText } from '../../operations/pause/pauses.ts'
import { standingPauses } from '../../operations/pause/schedule-acts.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import type { Output } from '../output.ts'

/** Log for lines about feeds: `problem` takes what needs a person. */
export type FeedOutput = Pick<Output, 'note' | 'problem'>

/** Creates the notes of the feeds of a process: a line when nothing arrives from a venue any more, and one when data is back. */
export function feedNotes(output: FeedOutput): (venue_id: string, facts: IngestFacts) => void {
  const down = new Map<string, Micros>()
  return (venue_id, { at, state, last_success_at, problem }) => {
    const since = down.get(venue_id)
    if (since === undefined && state === 'down') {
      const from = last_success_at ?? at
      down.set(venue_id, from)
      output.problem(`${venue_id} is down since ${formatMicros(from)}: ${problem ?? 'nothing arrives'}`)
    }
    if (since === undefined || state === 'down' || last_success_at === null || last_success_at <= since) return
    down.delete(venue_id)
    output.note(`${venue_id} is back at ${formatMicros(at)}; it was down since ${formatMicros(since)}`)
  }
}

/** Notes every pause that holds, so that a forgotten one is seen at the next start. */
export async function notePauses(pauses: Pauses, output: FeedOutput): Promise<void> {
  for (const pause of standingPauses(await pauses.acts()).values()) {
    const { schedule_id } = pause
    output.problem(`${schedule_id} is ${pauseText(pause)}; to end it: tidemark schedules resume ${schedule_id}`)
  }
}
