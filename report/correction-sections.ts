import type { LatePublication } from '../operations/replay/late-publications.ts'
import type { PublishedLevel } from '../operations/replay/published-levels.ts'
import { formatBasisPoints } from '../pipelines/index/correction.ts'
import type { Instant } from '../primitives/instants.ts'
import type { Markup } from './markup.ts'
import { lead, section } from './page.ts'
import type { ComparedLevel, PublishedComparison, Verdict } from './published-comparison.ts'
import type { ReplaySummary } from './replay-summary.ts'
import { type Cell, table } from './table.ts'

/** Records that a replay has and levels published live have not, by tick. */
export type LateByTick = ReadonlyMap<Instant, LatePublication>

/** More rows than this are shown closed. */
const OPEN_ROWS = 60

/** The official series beside the replay: what is equal, what was corrected since, what differs; every revision with its reason. */
export function correctionSection(
  { comparison }: ReplaySummary,
  revisions: readonly PublishedLevel[],
  late: LateByTick,
): Markup {
  return section(
    'Published levels and corrections',
    lead(comparisonText(comparison)),
    late.size === 0 ? null : lead(LATE_TEXT),
    differencesTable(comparison, late),
    revisionsTable(revisions),
  )
}

function comparisonText({ published, counts }: PublishedComparison): string {
  if (published === 0) return 'This index has no published levels in this range to compare with.'
  const parts = [
    `${counts.equal} of ${published} published ticks have the replayed level and state to the last digit`,
    counts.corrected > 0
      ? `${counts.corrected} were corrected after their time and the replay gives an earlier revision, because it admits only what was there by the tick's cutoff and grace`
      : '',
    counts.differs > 0 ? `${counts.differs} differ from every revision` : '',
    counts.not_replayed > 0 ? `${counts.not_replayed} have no replayed tick` : '',
  ]
  return `${parts.filter((part) => part !== '').join('; ')}.`
}

const VERDICTS: Readonly<Record<Exclude<Verdict, 'equal'>, string>> = {
  corrected: 'corrected since',
  differs: 'differs',
  not_replayed: 'not replayed',
}

/** Reason of differences that late publications make. */
const LATE_TEXT =
  'A level that was published live has no record that was published after its cutoff and grace. A replay counts a record that was published more than a minute after its receipt from its receipt, so it has it. Later ticks can differ as far as they carry a mark of such a tick.'

function differencesTable({ rows, counts }: PublishedComparison, late: LateByTick): Markup | null {
  if (rows.length === 0) return null
  const total = counts.corrected + counts.differs + counts.not_replayed
  return table({
    id: 'differences',
    caption: 'Ticks with another published level',
    note: total === rows.length ? null : `The first ${rows.length} of ${total}.`,
    folded: rows.length > OPEN_ROWS,
    columns: [
      { head: 'tick_at', kind: 'instant' },
      { head: 'published', kind: 'number' },
      { head: 'replayed', kind: 'number' },
      { head: 'bp of published', kind: 'number' },
      { head: 'published state', kind: 'text' },
      { head: 'replayed state', kind: 'text' },
      { head: 'finding', kind: 'text' },
    ],
    rows: rows.map((row) => differenceRow(row, late.get(row.tick_at))),
  })
}

function differenceRow(row: ComparedLevel, late: LatePublication | undefined): readonly Cell[] {
  const { published, replayed, verdict, equal_revision } = row
  const finding =
    equal_revision === null
      ? `${VERDICTS[verdict]}${lateText(late)}`
      : `${VERDICTS[verdict]} (${published.correction_reason ?? 'no reason'}); replay equals revision ${equal_revision}`
  return [
    row.tick_at,
    published.level,
    replayed?.level ?? null,
    row.basis_points,
    published.quality_state,
    replayed?.quality_state ?? null,
    finding,
  ]
}

/** Names the record that the replay has and the published level has not. */
function lateText(late: LatePublication | undefined): string {
  if (late === undefined) return ''
  const { kind, constituent_ids, market_id, received_at, published_at } = late
  return `: the ${kind} of ${constituent_ids.join(', ')} (${market_id}), received ${received_at}, was published ${published_at}`
}

function revisionsTable(revisions: readonly PublishedLevel[]): Markup | null {
  if (revisions.length === 0) return null
  return table({
    id: 'revisions',
    caption: 'Revisions, with reasons',
    folded: revisions.length > OPEN_ROWS,
    columns: [
      { head: 'tick_at', kind: 'instant' },
      { head: 'revision', kind: 'number' },
      { head: 'level', kind: 'number' },
      { head: 'bp of the previous revision', kind: 'number' },
      { head: 'state', kind: 'text' },
      { head: 'reason', kind: 'code' },
      { head: 'published_at', kind: 'instant' },
      { head: 'observation', kind: 'code' },
    ],
    rows: revisions.map((revision, i) => revisionRow(revision, revisions[i - 1])),
  })
}

function revisionRow(revision: PublishedLevel, before: PublishedLevel | undefined): readonly Cell[] {
  const change = before?.tick_at === revision.tick_at ? formatBasisPoints(before.level, revision.level) : null
  return [
    revision.tick_at,
    revision.revision,
    revision.level,
    change,
    revision.quality_state,
    revision.correction_reason,
    revision.published_at,
    revision.observation_id,
  ]
}

/** Inputs that the outlier filter or a pool kept out, with the numbers behind it. */
export function heldSection({ held, held_count }: ReplaySummary): Markup | null {
  if (held_count === 0) return null
  return section(
    'Inputs held back',
    lead('Marks that the methodology excluded from a level, with the deciding numbers.'),
    table({
      id: 'held',
      caption: 'Held back',
      note: held.length === held_count ? null : `The first ${held.length} of ${held_count}.`,
      folded: held.length > OPEN_ROWS,
      columns: [
        { head: 'tick_at', kind: 'instant' },
        { head: 'constituent', kind: 'code' },
        { head: 'rule', kind: 'code' },
        { head: 'raw value', kind: 'number' },
        { head: 'reference', kind: 'number' },
        { head: 'threshold', kind: 'number' },
        { head: 'observation', kind: 'code' },
      ],
      rows: held.map((input) => [
        input.tick_at,
        input.constituent_id,
        input.rule,
        input.raw_value,
        input.reference_value,
        input.threshold,
        input.observation_id,
      ]),
    }),
  )
}
