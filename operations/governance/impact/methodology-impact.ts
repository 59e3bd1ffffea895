import type { MethodologyImpact } from '../../../pipelines/governance/impact/change-document.ts'
import {
  compareSides,
  replaySides,
  type Sides,
  type VersionPair,
} from '../../../pipelines/governance/impact/compare-versions.ts'
import { METHODOLOGY_IMPACT_ENGINE } from '../../../pipelines/governance/impact/impact-document.ts'
import {
  byEffect,
  classCounts,
  dataForm,
  INDEXES_LISTED_MAX,
  type IndexEffect,
  indexEffect,
  LevelsOfIndexes,
  parameterChanges,
} from '../../../pipelines/governance/impact/methodology-effects.ts'
import { ParameterEffects } from '../../../pipelines/governance/impact/parameter-effects.ts'
import { type Change, policyInForce } from '../../../pipelines/governance/proposal.ts'
import { classOf } from '../../../pipelines/governance/propose.ts'
import { methodologyOfContent } from '../../../pipelines/governance/version-content.ts'
import { legsOf } from '../../../pipelines/index/admit.ts'
import { decodeParameters } from '../../../pipelines/index/parameters.ts'
import type { IndexVersion, Methodology } from '../../../pipelines/index/version.ts'
import { type StoredVersion, versionOf } from '../../../pipelines/index/version-record.ts'
import type { ErrorCode } from '../../../primitives/error-codes.ts'
import { isServiceError, type ServiceError } from '../../../primitives/errors.ts'
import { formatMicros } from '../../../primitives/instants.ts'
import type { ReadSession } from '../../../warehouse/read/session.ts'
import { readSql } from '../../../warehouse/sql/read-sql.ts'
import { countingOf } from '../../index/counting.ts'
import { loadIndex, type PublishedIndex } from '../../index/load-index.ts'
import { loadLegData } from '../../index/load-leg-data.ts'
import { loadLinks } from '../../index/load-published.ts'
import { REPLAY_TABLES } from '../../replay/replay-target.ts'
import { newestMethodology } from '../change-of-file.ts'
import type { ImpactRequest } from './impact-request.ts'
import { type ImpactWindow, impactWindow } from './impact-window.ts'
import { namedChange, openChange } from './open-change.ts'
import { replaysBy } from './replay-columns.ts'

/**
 * Computes what a methodology would have done to every index that uses it: its newest version beside the same one with the proposed
 * parameters. No level changes before a version names the methodology.
 * @throws {ServiceError} VALIDATION_*
 */
export async function methodologyImpact(
  request: ImpactRequest,
  content: Change['content'],
): Promise<MethodologyImpact> {
  const kind = 'methodology' as const
  const { methodology } = methodologyOfContent(content)
  const proposed: Methodology = { ...methodology, parameters: decodeParameters(methodology.texts) }
  const opened = await openChange(request, REPLAY_TABLES, async (_session, state) => {
    const named = namedChange(state, { kind, content })
    const change = { kind, content, base_hash: named.base_hash, impact_digest: null, emergency: null, rationale: '' }
    return { ...named, change_class: classOf(state, change), policy: policyInForce(state) }
  })
  const { session, change, from, to } = opened
  try {
    const index_ids = await indexesUsing(session, proposed.methodology_id)
    const window = await impactWindow(session, index_ids, { from, to })
    const before = (await newestMethodology(session, proposed.methodology_id))?.methodology ?? null
    const alone = new ParameterEffects()
    const effects = await effectsOn(session, index_ids, { proposed, window, request, alone })
    const { change_id, base_hash, content_hash, change_class } = change
    return {
      ...{ statement: 'tidemark.impact.v2', engine: METHODOLOGY_IMPACT_ENGINE, kind, change_id },
      ...{ target_id: proposed.methodology_id, base_hash, content_hash },
      as_of: formatMicros(session.as_of),
      change_class,
      from: formatMicros(window.from),
      to: formatMicros(window.to),
      version_before: before?.version ?? null,
      version_after: proposed.version,
      parameters: parameterChanges(before?.texts ?? null, proposed.texts),
      changes: alone.changes(before?.texts ?? null, proposed.texts),
      indexes_using: index_ids.length,
      ...effects,
    }
  } finally {
    await session.close()
  }
}

async function indexesUsing(session: ReadSession, methodology_id: string): Promise<readonly string[]> {
  const rows = await session.query(readSql(import.meta.url, 'sql/indexes_of_methodology.sql'), { methodology_id })
  return rows.map(({ index_id }) => String(index_id))
}

type Proposed = {
  readonly proposed: Methodology
  readonly window: ImpactWindow
  readonly request: ImpactRequest
  /** Effects of each parameter alone, of the indexes so far. */
  readonly alone: ParameterEffects
}

async function effectsOn(session: ReadSession, index_ids: readonly string[], by: Proposed) {
  const effects: IndexEffect[] = []
  const refused: { readonly index_id: string; readonly code: ErrorCode }[] = []
  const indexes: PublishedIndex[] = []
  for (const index_id of index_ids) indexes.push(await loadIndex(session, index_id))
  const form = dataForm(indexes.reduce((sum, one) => sum + ticksOf(one, by.window), 0))
  const data = new LevelsOfIndexes(form, by.request.lines ?? (() => undefined))
  for (const known of indexes) {
    by.request.signal?.throwIfAborted()
    const { index_id } = known.spec
    const found = await effectOn(session, known, by, data)
    if ('code' in found) refused.push({ index_id, code: found.code })
    else effects.push(found)
  }
  effects.sort(byEffect)
  return {
    classes: classCounts(effects),
    indexes: effects.slice(0, INDEXES_LISTED_MAX),
    indexes_unlisted: Math.max(0, effects.length - INDEXES_LISTED_MAX),
    not_computed: refused.slice(0, INDEXES_LISTED_MAX),
    not_computed_unlisted: Math.max(0, refused.length - INDEXES_LISTED_MAX),
    lines: form,
    levels_sha256: data.digest(),
  }
}

function ticksOf({ spec }: PublishedIndex, { from, to }: ImpactWindow): number {
  return Math.ceil((to - from) / spec.versions.at(-1)!.frequency)
}

/** Returns the effect on one index, or why the proposed parameters cannot compute it. */
async function effectOn(
  session: ReadSession,
  known: PublishedIndex,
  by: Proposed,
  data: LevelsOfIndexes,
): Promise<IndexEffect | ServiceError> {
  const base = known.spec.versions.at(-1)!
  const { index_id } = known.spec
  const versionWith = (methodology: Methodology) => withMethodology(known, methodology)
  const alone = { ...{ index_id, base, proposed: by.proposed, versionWith }, window: by.window }
  try {
    const next = versionWith(by.proposed)
    const lines = data.of(index_id)
    const pair = await pairOf(session, known, { base, next, lines: lines.lines, ...by })
    const sides: Sides = replaySides(pair)
    const compared = compareSides(pair, sides)
    lines.end()
    by.alone.add({ ...alone, replay: pair.replay }, sides)
    const named = { index_id, version: base.version, methodology_version_before: base.methodology.version }
    return indexEffect(named, compared)
  } catch (error) {
    if (!isServiceError(error) || !/^(INDEX|VALIDATION)_/.test(error.code)) throw error
    by.alone.addUncomputed(alone)
    return error
  }
}

/** Returns the newest version of an index with another methodology: settings that it leaves to the methodology follow. */
function withMethodology({ version_rows, index }: PublishedIndex, methodology: Methodology): IndexVersion {
  const { version } = versionOf(version_rows.at(-1) as unknown as StoredVersion, index, methodology)
  // A published link is that of the published version alone.
  return { ...version, index_version_id: `${version.index_version_id}_next` as typeof version.index_version_id }
}

async function pairOf(
  session: ReadSession,
  { spec }: PublishedIndex,
  {
    base,
    next,
    lines,
    window,
    request,
  }: Proposed & Pick<VersionPair, 'next' | 'lines'> & { readonly base: IndexVersion },
): Promise<VersionPair> {
  const trades = [base, next].some(({ fixing }) => fixing !== null)
  const legs = legsOf({ ...spec, versions: [base, next] })
  const data = await loadLegData(session, legs, { trades, known_at_tick: await countingOf(session, spec) })
  const published_links = await loadLinks(session, spec.index_id)
  const { replay } = replaysBy(request.engine, { data, published_links, signal: request.signal })
  return { index: spec, base, next, window, is_full_window: window.is_full_window, replay, lines }
}
