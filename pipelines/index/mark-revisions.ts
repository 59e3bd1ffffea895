import { FIRST_REVISION, type Revised, supersede } from '../../primitives/append-only.ts'
import { deriveId } from '../../primitives/ids.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import type { CorrectionReason } from '../../vocabulary/index-level.ts'
import { isKept } from '../market/mark.ts'
import type { MarkRecord } from './market-marks.ts'

/** The current published mark of an outcome at a tick. */
export type PublishedMark = MarkContent & { readonly mark_id: string; readonly revision: number }

type ContentField = (typeof CONTENT_FIELDS)[number]
type MarkContent = { readonly [field in ContentField]: unknown }

/** A mark to publish: new, or in the place of a published one. */
export type PlannedMark = MarkRecord & Revised

/** Fields that a payout decides. */
const PAYOUT_FIELDS = ['mark', 'mark_rule', 'implied_probability', 'source_observation_ids'] as const

/** Fields that a reader sees of a mark; what depends on the tick alone is left out. */
const CONTENT_FIELDS = [
  ...PAYOUT_FIELDS,
  'origin_rule',
  'midpoint',
  'derived',
  'derivation_rule',
  'freshness_class',
  'quality_state',
  'source_at',
  'received_at',
] as const satisfies readonly (keyof MarkRecord)[]

/**
 * Compares the marks of one outcome and series with the published ones, tick by tick. A published mark that is computed the same stays;
 * one that is not is superseded; a tick without one gets one where readers would otherwise see another mark.
 */
export class MarkRevisions {
  /** Content that readers see at the tick. */
  #said: string | null
  /** The mark computed last. */
  #computed: MarkRecord | null = null

  /** @param before the last published mark before the first tick */
  constructor(before: PublishedMark | null) {
    this.#said = before === null ? null : contentOf(before)
  }

  /** Takes a computed and a published mark of one tick, of which either may be absent. Returns the mark to publish; null if none. */
  take(
    tick_at: Micros,
    computed: MarkRecord | null,
    published: PublishedMark | null,
    may_publish: boolean,
  ): PlannedMark | null {
    this.#computed = computed ?? this.#computed
    if (published !== null) this.#said = contentOf(published)
    if (!may_publish || this.#computed === null) return null
    const content = contentOf(this.#computed)
    if (content === this.#said) return null
    this.#said = content
    return planned(this.#computed, tick_at, published)
  }
}

/** The receipt of a kept mark is no content: earlier versions stated that of the newest quote, which moved. */
function contentOf(mark: MarkContent, fields: readonly ContentField[] = CONTENT_FIELDS): string {
  const told = isKept(mark.mark_rule) ? fields.filter((field) => field !== 'received_at') : fields
  return JSON.stringify(told.map((field) => mark[field]))
}

function planned(computed: MarkRecord, tick_at: Micros, published: PublishedMark | null): PlannedMark {
  const tick = formatMicros(tick_at)
  const { venue_id, source_series_id, outcome_id } = computed
  const id = ['mrk', venue_id, source_series_id, outcome_id, tick] as const
  if (published === null) return revisionOf(computed, FIRST_REVISION, { tick_at: tick, mark_id: deriveId(...id) })
  const { mark_id: current_id, revision: revision_max } = published
  const revised = supersede({ current_id, revision_max }, reasonOf(published, computed))
  return revisionOf(computed, revised, { tick_at: tick, mark_id: deriveId(...id, String(revised.revision)) })
}

/** Assigns the fields to a copy: a literal that names fields after a spread takes ten times as long, for every mark of an archive. */
function revisionOf(
  computed: MarkRecord,
  revised: Revised,
  named: Pick<MarkRecord, 'tick_at' | 'mark_id'>,
): PlannedMark {
  return Object.assign({}, computed, revised, named)
}

/** A payout changes only with the resolution; anything else, a midpoint too, because a record arrived after it was published. */
function reasonOf(published: PublishedMark, computed: MarkRecord): CorrectionReason {
  const is_same = contentOf(published, PAYOUT_FIELDS) === contentOf(computed, PAYOUT_FIELDS)
  return published.mark_rule === 'M0' && !is_same ? 'RESOLUTION_CORRECTED' : 'LATE_DATA'
}
