import { deriveId } from '../../primitives/ids.ts'
import { formatMicros, type Instant, MICROS_PER_DAY, type Micros, toMicros } from '../../primitives/instants.ts'
import type { ProposalKind, ProposalState } from '../../vocabulary/governance.ts'
import { CALENDAR_DAYS_MAX, type CalendarKind } from '../../vocabulary/notices.ts'
import { takesEffectAt } from '../governance/due.ts'
import { isStatusKind, statusIn } from '../governance/index-change.ts'
import type { Change } from '../governance/proposal.ts'
import { VOTING_STATES } from '../governance/proposal-states.ts'
import { changeName } from './change-name.ts'
import { type FixingTick, type FixingVersion, fixingsOf, type StatusFrom } from './fixings.ts'
import { indexOfTarget } from './of-proposals.ts'
import { type AnnouncedComposition, endedBy, versionsToCome } from './versions-to-come.ts'

/** One entry of the calendar: an instant at which something is due. */
export type CalendarEntry = {
  readonly entry_id: string
  readonly kind: CalendarKind
  readonly at: Instant
  readonly title: string
  /** Record that it is about: index version, proposal, rating; of a roster or policy its hash. */
  readonly subject_id: string
  readonly index_id: string | null
  readonly market_id: string | null
  /** Publication of the record that it follows from. */
  readonly published_at: Instant
}

/** Published records that have an instant to come; only the named fields are read. */
export type CalendarRecords = {
  readonly versions: readonly FixingVersion[]
  readonly compositions: readonly AnnouncedComposition[]
  /** Statuses that each index had and has, and since when; those of the same instant in their order. */
  readonly indexes: readonly { readonly index_id: string; readonly status: string; readonly since: Instant }[]
  readonly proposals: readonly {
    readonly proposal_id: string
    readonly kind: ProposalKind
    /** RFC 8785 text. */
    readonly content: string
    readonly target: string
    readonly change_class: string
    readonly state: ProposalState
    readonly proposed_at: Instant
    readonly comment_ends_at: Instant
    readonly vote_ends_at: Instant | null
    readonly effective_at: Instant | null
    readonly lapses_at: Instant | null
    readonly published_at: Instant
  }[]
  /** In force, or that were. */
  readonly rosters: readonly Expiring[]
  readonly policies: readonly Expiring[]
  /** Ratings of people whose validity ends. */
  readonly ratings: readonly {
    readonly rating_id: string
    readonly market_id: string
    readonly band: string
    readonly effective_to: Instant | null
    readonly published_at: Instant
  }[]
}
type Expiring = {
  readonly version: number
  readonly record_hash: string
  readonly expires_at: Instant
  readonly published_at: Instant
}

/** Half-open range of a calendar. */
export type CalendarRange = { readonly from: Micros; readonly to: Micros }

/** Days of a calendar whose range has no end. */
const CALENDAR_DAYS = 90

/**
 * Returns the range of a calendar, by the rule of every way to ask for one.
 * @param asked from null: the beginning of the day of `at`; to null: 90 days later
 * @returns refused: the ends that are accepted, if `to` is none of them; else null
 */
export function calendarRange(
  asked: { readonly from: Micros | null; readonly to: Micros | null },
  at: Micros,
): { readonly range: CalendarRange; readonly refused: string | null } {
  const from = asked.from ?? dayOf(at)
  const to = asked.to ?? from + CALENDAR_DAYS * MICROS_PER_DAY
  const is_allowed = from < to && to - from <= CALENDAR_DAYS_MAX * MICROS_PER_DAY
  const refused = is_allowed ? null : `after ${formatMicros(from)}, at most ${CALENDAR_DAYS_MAX} days later`
  return { range: { from, to }, refused }
}

/** Returns the beginning of the UTC day of an instant. */
export function dayOf(at: Micros): Micros {
  return at - (at % MICROS_PER_DAY)
}

/** Returns what is due in a range, sorted by (at, entry_id). */
export function calendarOf(records: CalendarRecords, { from, to }: CalendarRange): CalendarEntry[] {
  const to_come = versionsToCome(records.versions, records.proposals, records.compositions)
  const versions = endedBy([...records.versions, ...to_come], to_come)
  const entries = [
    ...records.versions.map((row) => versionEntry(row, '')),
    ...to_come.map((row) => versionEntry(row, ', as announced')),
    ...fixingsOf(versions, statusesOf(records), { from, to }).map(fixingEntry),
    ...records.proposals.flatMap(instantsOfProposal),
    ...expiryOf('roster', records.rosters),
    ...expiryOf('policy', records.policies),
    ...records.ratings.flatMap((row) =>
      row.effective_to === null
        ? []
        : [
            entryOf('rating_expiry', row.effective_to, row.rating_id, {
              title: `Rating ${row.band} of ${row.market_id} ends`,
              market_id: row.market_id,
              published_at: row.published_at,
            }),
          ],
    ),
  ]
  return entries.filter(({ at }) => from <= toMicros(at) && toMicros(at) < to).sort(byInstant)
}

/** Returns the start of a version. Its id is the same before and after its publication. */
function versionEntry(row: FixingVersion, how: string): CalendarEntry {
  const { index_version_id, effective_from, version, index_id, published_at } = row
  const title = `Version ${version} of ${index_id} takes effect${how}`
  return entryOf('rebalance', effective_from, index_version_id, { title, index_id, published_at })
}

function fixingEntry({ version: { index_version_id, index_id, version, published_at }, at }: FixingTick) {
  const title = `Fixing of ${index_id}, version ${version}`
  return entryOf('fixing', at, index_version_id, { title, index_id, published_at })
}

/** Returns the statuses of indexes that were and are in force, and those that were announced. */
function statusesOf({ indexes, proposals }: CalendarRecords): readonly StatusFrom[] {
  return [
    ...indexes.map(({ index_id, status, since }) => ({ index_id, status, from: toMicros(since) })),
    ...proposals.flatMap((row) => {
      const [from, index_id] = [row.state === 'queued' ? statusStart(row) : null, indexOfTarget(row.target)]
      return from === null || index_id === null ? [] : [{ index_id, status: statusIn(row.kind, contentOf(row)), from }]
    }),
  ]
}

/** Returns the instant at which a proposal changes the status of an index; null: it changes none. */
function statusStart({ effective_at, ...row }: CalendarRecords['proposals'][number]): Micros | null {
  if (effective_at === null || !isStatusKind(row.kind)) return null
  return effectStart({ ...row, effective_at })
}

function contentOf({ content }: { readonly content: string }): Change['content'] {
  return JSON.parse(content) as Change['content']
}

/** Returns the instants that a proposal waits for in its state: one that has ended waits for none. */
function instantsOfProposal(row: CalendarRecords['proposals'][number]): CalendarEntry[] {
  const change = `the ${changeName(row)}`
  const entry = (kind: CalendarKind, at: Instant | null, title: string) => {
    const rest = { title, index_id: indexOfTarget(row.target), published_at: row.published_at }
    return at === null ? [] : [entryOf(kind, at, row.proposal_id, rest)]
  }
  if (row.state === 'queued')
    return [
      ...entry('notice_end', row.effective_at, `Notice of ${change} ends; ${effectOf(row)}`),
      ...finalValue(row, entry),
    ]
  if (row.state === 'effective')
    return [
      ...entry('emergency_lapse', row.lapses_at, `${capitalized(change)} lapses unless it is ratified`),
      ...finalValue(row, entry),
    ]
  if (!VOTING_STATES.some((state) => state === row.state)) return []
  const has_comment = toMicros(row.comment_ends_at) > toMicros(row.proposed_at)
  return [
    ...entry('comment_end', has_comment ? row.comment_ends_at : null, `Comments on ${change} end`),
    ...entry('vote_end', row.vote_ends_at, `The vote on ${change} ends`),
  ]
}

/** Returns the instant from which a queued change counts. */
function effectStart(row: CalendarRecords['proposals'][number]): Micros | null {
  const effective_at = row.effective_at === null ? null : toMicros(row.effective_at)
  return takesEffectAt({ kind: row.kind, content: contentOf(row), effective_at, enacted_at: null })
}

/** Returns when a queued change takes effect, as seen from the end of its notice: a version or a status may begin later. */
function effectOf(row: CalendarRecords['proposals'][number]): string {
  const start = effectStart(row)
  const is_later = start !== null && start > toMicros(row.effective_at!)
  return is_later ? `it takes effect at ${formatMicros(start)}` : 'it takes effect'
}

type EntryOfProposal = (kind: CalendarKind, at: Instant | null, title: string) => CalendarEntry[]

/** Returns the end of an index, at which its final value is fixed; the proposal says how. */
function finalValue(row: CalendarRecords['proposals'][number], entry: EntryOfProposal): CalendarEntry[] {
  const at = row.kind === 'cessation' ? statusStart(row) : null
  return entry(
    'final_value',
    at === null ? null : formatMicros(at),
    `Final value of ${indexOfTarget(row.target)}; it ends`,
  )
}

function capitalized(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}

/** Returns the expiry of the newest roster or policy: a predecessor that was replaced expires nothing. */
function expiryOf(name: 'roster' | 'policy', rows: readonly Expiring[]): CalendarEntry[] {
  const [newest] = rows.toSorted((a, b) => b.version - a.version)
  if (newest === undefined) return []
  const { version, expires_at, record_hash, published_at } = newest
  const title = `The ${name} (version ${version}) expires; acts are refused from then on`
  return [entryOf(`${name}_expiry`, expires_at, record_hash, { title, published_at })]
}

type Rest = Pick<CalendarEntry, 'title' | 'published_at'> & Partial<Pick<CalendarEntry, 'index_id' | 'market_id'>>

function entryOf(kind: CalendarKind, at: Instant, subject_id: string, rest: Rest): CalendarEntry {
  const { title, index_id = null, market_id = null, published_at } = rest
  return {
    entry_id: deriveId('cal', kind, subject_id, at),
    kind,
    at,
    title,
    subject_id,
    index_id,
    market_id,
    published_at,
  }
}

function byInstant(a: CalendarEntry, b: CalendarEntry): number {
  return toMicros(a.at) - toMicros(b.at) || (a.entry_id < b.entry_id ? -1 : 1)
}
