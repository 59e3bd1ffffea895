import { calculateImpact } from '../../../pipelines/governance/impact/calculate-impact.ts'
import type { LineSink } from '../../../pipelines/governance/impact/compare-levels.ts'
import {
  IMPACT_ENGINE,
  type ImpactDocument,
  impactDigest,
  impactText,
} from '../../../pipelines/governance/impact/impact-document.ts'
import { runnerReports } from '../../../pipelines/governance/impact/runner-reports.ts'
import { legsOf } from '../../../pipelines/index/admit.ts'
import type { IndexSpec } from '../../../pipelines/index/version.ts'
import { formatMicros, type Instant, toMicros } from '../../../primitives/instants.ts'
import type { ImpactEngine } from '../../../vocabulary/governance.ts'
import { openReadSession, type ReadSession } from '../../../warehouse/read/session.ts'
import type { Warehouse } from '../../../warehouse/warehouse.ts'
import { readDefinition } from '../../index/apply-definitions.ts'
import { loadLegData } from '../../index/load-leg-data.ts'
import { loadLinks } from '../../index/load-published.ts'
import { REPLAY_TABLES } from '../../replay/replay-target.ts'
import { readGovernance } from '../read-governance.ts'
import { type ImpactChange, impactChange } from './impact-change.ts'
import { impactWindow } from './impact-window.ts'
import { replaysBy } from './replay-columns.ts'

export type ImpactRequest = {
  /** Definition file with one version that is not published. */
  readonly file: string
  /** null: as in the first report of the change, else 90 days. */
  readonly from: Instant | null
  readonly to: Instant | null
  /** null: as in the first report of the change, else now. */
  readonly as_of: Instant | null
  readonly engine: ImpactEngine
  readonly warehouse: Warehouse
  /** Receives the levels side by side as lines of CSV. */
  readonly lines?: LineSink | undefined
  readonly signal?: AbortSignal | undefined
}

/** An impact with the exact text whose digest runners sign. */
export type ComputedImpact = {
  readonly document: ImpactDocument
  readonly text: string
  readonly impact_digest: string
}

/**
 * Computes what a change of an index would have done, from what is known at as_of alone: whoever runs it gets the same bytes.
 * @throws {ServiceError} VALIDATION_*, INDEX_LINK_UNSTABLE, INDEX_GEARING_LIMIT, INDEX_SOURCE_NOT_ELIGIBLE, INDEX_CAP_*
 */
export async function computeImpact(request: ImpactRequest): Promise<ComputedImpact> {
  const definition = await readDefinition(request.file)
  const opened = await openChange(request, async (session) => {
    const { state } = await readGovernance(request.warehouse, session.as_of)
    return impactChange(session, state, definition)
  })
  const { session, change, from, to } = opened
  try {
    const window = await impactWindow(session, change.index.index_id, { from, to })
    const replays = await replaysOf(session, change, request)
    const lines = request.lines ?? (() => undefined)
    const calculated = calculateImpact({ ...change, ...window, window, ...replays, lines })
    const document = documentOf(change, calculated, {
      as_of: formatMicros(session.as_of),
      from: formatMicros(window.from),
      to: formatMicros(window.to),
      is_full_window: window.is_full_window,
    })
    const text = impactText(document)
    return { document, text, impact_digest: impactDigest(text) }
  } finally {
    await session.close()
  }
}

type Opened = {
  readonly session: ReadSession
  readonly change: ImpactChange
  readonly from: Instant | null
  readonly to: Instant | null
}

/** Opens the asked knowledge; unless asked otherwise that of the first report, so that runners sign the same one. */
async function openChange(
  request: ImpactRequest,
  changeIn: (session: ReadSession) => Promise<ImpactChange>,
): Promise<Opened> {
  const opened = await sessionOf(request, request.as_of, changeIn)
  const is_asked = [request.as_of, request.from, request.to].some((one) => one !== null)
  if (is_asked) return { ...opened, from: request.from, to: request.to }
  const { acts } = await readGovernance(request.warehouse)
  const [first] = runnerReports(acts, opened.change.change_id)
  if (first === undefined) return { ...opened, from: null, to: null }
  const { as_of, from, to } = first.report
  await opened.session.close()
  return { ...(await sessionOf(request, as_of, changeIn)), from, to }
}

async function sessionOf(
  { warehouse }: ImpactRequest,
  as_of: Instant | null,
  changeIn: (session: ReadSession) => Promise<ImpactChange>,
): Promise<Pick<Opened, 'session' | 'change'>> {
  const at = as_of === null ? await warehouse.now() : toMicros(as_of, 'as_of')
  const session = await openReadSession(warehouse, { as_of: at, tables: REPLAY_TABLES })
  try {
    return { session, change: await changeIn(session) }
  } catch (error) {
    await session.close()
    throw error
  }
}

async function replaysOf(session: ReadSession, { index, base, next }: ImpactChange, request: ImpactRequest) {
  const versions = base === null ? [next] : [base, next]
  const both: IndexSpec = { ...index, versions }
  const trades = versions.some(({ fixing }) => fixing !== null)
  const data = await loadLegData(session, legsOf(both), { trades, known_at_tick: false })
  const published_links = await loadLinks(session, index.index_id)
  const replays = replaysBy(request.engine, { data, published_links, signal: request.signal })
  return { ...replays, resolutionsOf: (leg: { readonly key: string }) => data.get(leg.key)!.resolutions }
}

function documentOf(
  { change_id, base_hash, content_hash, index, base, next }: ImpactChange,
  calculated: ReturnType<typeof calculateImpact>,
  run: Pick<ImpactDocument, 'as_of' | 'from' | 'to' | 'is_full_window'>,
): ImpactDocument {
  return {
    statement: 'tidemark.impact.v1',
    engine: IMPACT_ENGINE,
    change_id,
    index_id: index.index_id,
    version_before: base?.version ?? null,
    version_after: next.version,
    base_hash,
    content_hash,
    ...run,
    ...calculated,
  }
}
