import { admitLeg, type LegData } from '../../pipelines/index/admission.ts'
import { legsOfVersion } from '../../pipelines/index/admit.ts'
import { ExactLeg } from '../../pipelines/index/exact/exact-leg.ts'
import { integerParameters } from '../../pipelines/index/exact/integer-parameters.ts'
import { type RememberedMark, rememberLeg } from '../../pipelines/index/exact/leg-memory.ts'
import { legSource } from '../../pipelines/index/exact/leg-source.ts'
import { insertEarlier } from '../../pipelines/index/leg-history.ts'
import type { IndexSpec, IndexVersion, Leg } from '../../pipelines/index/version.ts'
import type { Mark } from '../../pipelines/market/mark.ts'
import { markOutcome } from '../../pipelines/market/outcome.ts'
import type { Micros } from '../../primitives/instants.ts'
import { ticksIn } from '../../primitives/ranges.ts'
import type { ReadSession } from '../../warehouse/read/session.ts'
import { loadLegData } from '../index/load-leg-data.ts'
import type { SeriesMemory } from '../index/series-run.ts'
import type { FollowedIndex } from './followed-index.ts'
import type { LiveLevels } from './live-levels.ts'

/**
 * A record that freezes a market may name an instant that marks have passed since: what counts then is the last mark from
 * before it (methodology §4), which nobody knew to keep. It is looked for in the market's own records, tick by tick
 * backwards, and both engines remember it from then on, as if they had.
 * @param new_instants that became known to freeze a leg, by leg
 */
export async function lookBack(
  levels: LiveLevels,
  new_instants: ReadonlyMap<string, readonly Micros[]>,
  session: () => Promise<ReadSession>,
): Promise<void> {
  for (const [key, instants] of new_instants) {
    for (const followed of [...levels.followed.values()]) {
      const passed = instants.filter((instant) => isPassed(followed.memory, key, instant))
      if (passed.length === 0) continue
      const leg = followed.index.spec.versions.flatMap(legsOfVersion).find((candidate) => candidate.key === key)!
      const data = await loadLegData(await session(), [leg], { trades: false, known_at_tick: true })
      levels.follow(withMarks(followed, leg, data.get(key)!, passed))
    }
  }
}

function isPassed(memory: SeriesMemory | null, key: string, instant: Micros): boolean {
  const newest = memory?.reference.state.legs.get(key)?.history?.mark
  return newest !== undefined && newest.source_at >= instant
}

function withMarks(followed: FollowedIndex, leg: Leg, data: LegData, instants: readonly Micros[]): FollowedIndex {
  let memory = followed.memory!
  for (const instant of instants) {
    const found = marksBefore(followed.index.spec, memory.reference, leg, data, instant)
    if (found.mark !== null) memory = remember(memory, leg.key, found.mark)
    if (found.exact !== null) memory = rememberExact(memory, leg.key, instant, found.exact)
  }
  return { ...followed, memory }
}

function remember(memory: SeriesMemory, key: string, mark: Mark): SeriesMemory {
  const { state } = memory.reference
  const leg = state.legs.get(key)!
  const legs = new Map(state.legs).set(key, { ...leg, history: insertEarlier(leg.history, mark) })
  return { ...memory, reference: { ...memory.reference, state: { ...state, legs } } }
}

function rememberExact(memory: SeriesMemory, key: string, instant: Micros, mark: RememberedMark): SeriesMemory {
  const leg = memory.exact.legs.get(key)!
  const asides = [...leg.asides.filter((aside) => aside.instant !== instant), { instant, mark }]
  const legs = new Map(memory.exact.legs).set(key, { ...leg, asides })
  return { ...memory, exact: { ...memory.exact, legs } }
}

/** First look-back; each further one is three times as long, up to the beginning of the leg. */
const FIRST_LOOK: Micros = 3_600_000_000

type Found = { readonly mark: Mark | null; readonly exact: RememberedMark | null }

/** The last M1..M6 mark with a source time before an instant that each engine formed at the ticks so far. */
function marksBefore(
  spec: IndexSpec,
  { tick_at, index_version_id }: SeriesMemory['reference'],
  leg: Leg,
  data: LegData,
  instant: Micros,
): Found {
  const versions = versionsOfLeg(spec, index_version_id, leg)
  const begin = versions[0]!.effective_from
  for (let look = FIRST_LOOK; ; look *= 3) {
    const from = Math.max(begin, Math.min(instant, tick_at) - look)
    const found = {
      mark: lastFormed(versions, data, { from, to: tick_at + 1 }, instant),
      exact: lastExact(versions, data, { from, to: tick_at + 1 }, instant),
    }
    if (found.mark !== null || from === begin) return found
  }
}

type Stretch = { readonly from: Micros; readonly to: Micros }

/** The versions in a row, up to the one of the memory, that read the leg: with another in between it is forgotten. */
function versionsOfLeg(spec: IndexSpec, index_version_id: string, leg: Leg): IndexVersion[] {
  const place = spec.versions.findIndex((version) => version.index_version_id === index_version_id)
  const versions = spec.versions.slice(0, place + 1)
  const first = versions.findLastIndex((version) => !legsOfVersion(version).some(({ key }) => key === leg.key)) + 1
  return versions.slice(first)
}

function* ticksOf(
  versions: readonly IndexVersion[],
  { from, to }: Stretch,
): Generator<{ tick: Micros; version: IndexVersion }> {
  for (const version of versions) {
    const range = { from: Math.max(from, version.effective_from), to: Math.min(to, version.effective_to ?? to) }
    for (const tick of ticksIn(range, version.frequency)) yield { tick, version }
  }
}

function lastFormed(versions: readonly IndexVersion[], data: LegData, stretch: Stretch, instant: Micros): Mark | null {
  const admissions = new Map<string, ReturnType<typeof admitLeg>>()
  let last: Mark | null = null
  for (const { tick, version } of ticksOf(versions, stretch)) {
    const { parameters } = version.methodology
    const { grace, settle_from } = parameters
    const key = `${grace} ${settle_from}`
    const admit = admissions.get(key) ?? admitLeg(data, grace, settle_from)
    admissions.set(key, admit)
    const { mark } = markOutcome(admit(tick), null, tick, parameters)
    const formed = mark !== null && mark.rule !== 'M0' && mark.rule !== 'frozen'
    if (formed && mark.source_at < instant) last = mark
  }
  return last
}

function lastExact(
  versions: readonly IndexVersion[],
  data: LegData,
  stretch: Stretch,
  instant: Micros,
): RememberedMark | null {
  let leg: ExactLeg | null = null
  for (const version of versions) {
    const { grace, settle_from } = version.methodology.parameters
    const source = legSource(data, grace, settle_from)
    const p = integerParameters(version)
    leg = leg === null ? new ExactLeg(source, false) : leg.fork(source)
    for (const { tick } of ticksOf([version], stretch)) leg.evaluate(tick, p)
  }
  if (leg === null) return null
  const { newest, asides } = rememberLeg(leg)
  if (newest === null) return null
  return newest.source_at < instant ? newest : (asides.find((aside) => aside.instant === instant)?.mark ?? null)
}
