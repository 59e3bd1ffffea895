import type { SettlementWindow } from '../../../operations/settlement/await-window.ts'
import type { ResolutionProgress } from '../../../operations/settlement/resolution-step.ts'
import type { SettledAttempts } from '../../../operations/settlement/settle-attempts.ts'
import { seededRandom } from '../../support/random.ts'
import { bad, outage, type Scenario, type Script, type Step } from './scenarios.ts'

/** Number of scenarios per workflow. */
const COURSES = 24
const START_MS = Date.parse('2026-01-01T00:00:00Z')

type Random = ReturnType<typeof seededRandom>
type Course = Pick<Scenario, 'name' | 'args' | 'script'> & Partial<Pick<Scenario, 'cancels' | 'starts'>>

const settlement = (workflow: string, course: Course): Scenario => ({ workflow, queue: 'settlement', ...course })
const hangs = (): Step => 'until cancelled'
const retried =
  (value: unknown) =>
  (attempt: number): Step =>
    attempt < 3 ? { fails: outage() } : { gives: value }
const fails = (): Step => ({ fails: bad() })

/** One after the other, the last one again and again. */
function each(...steps: readonly Step[]): (attempt: number) => Step {
  let place = 0
  return () => {
    const step = steps[Math.min(place, steps.length - 1)]!
    place += 1
    return step
  }
}

const OPEN: SettledAttempts = { confirmed: 1, failed: 0, open: ['att_2_1'] }
const DONE: SettledAttempts = { confirmed: 1, failed: 0, open: [] }

function window(n: number): SettlementWindow {
  const attempts = [
    { settlement_id: 'stl_1', attempt_id: 'att_1_1' },
    { settlement_id: 'stl_2', attempt_id: 'att_2_1' },
  ]
  return { attempts, under_way: ['att_3_1'], window_ends_at: new Date(START_MS + n * 2_000).toISOString() }
}

const batch = (name: string, script: Script, cancels?: true): Scenario =>
  settlement('settleBatch', {
    name,
    args: { asset_id: 'asset_usd', window: window(0) },
    script,
    ...(cancels && { cancels }),
  })

function asset(name: string, settleWindows: (attempt: number) => Step, cancels?: true): Scenario {
  const args = { asset_id: `asset_${name.replaceAll(' ', '_')}`, windows_per_run: 2, concluded: 0 }
  return settlement('settleAsset', { name, args, script: { settleWindows }, ...(cancels && { cancels }) })
}

const settledWindows = (windows: number): Step => ({ gives: { windows, confirmed: 2 * windows, failed: 0 } })

function progress(state: ResolutionProgress['state'], wait_ms: number | null, unconfirmed: number | null = null): Step {
  return { gives: { state, wait_ms, unconfirmed } satisfies ResolutionProgress }
}

const resolution = (name: string, script: Script, cancels?: true): Scenario =>
  settlement('resolveMarket', {
    name,
    args: { resolution_id: 'res_1', steps_per_run: 3, progress: null },
    script,
    ...(cancels && { cancels }),
  })

/** Assets that it starts fail, and are started again; resolutions wait for ever. */
function follow(name: string, script: Script, ids: readonly string[], cancels?: true): Scenario {
  const args = { looks_per_run: 2, known: { assets: [], resolutions: [] } }
  const idle: Script = { settleWindows: fails, resolutionStep: hangs }
  return settlement('followSettlement', {
    name,
    args,
    script: { ...idle, ...script },
    starts: ids,
    ...(cancels && { cancels }),
  })
}

const work = (name: string, sequence: number): Step => ({
  gives: { assets: [`asset_${name}`], resolutions: [{ resolution_id: `res_${name}`, engine_sequence: sequence }] },
})
const idsOf = (name: string) => [`settle/asset_${name}`, `resolve/res_${name}`]

/** Courses of the workflows that settle and resolve. */
export function settlementScenarios(): Scenario[] {
  const settled = { settleBatch: () => ({ gives: DONE }) as Step }
  return [
    batch('ordinary', settled),
    batch('followed', {
      settleBatch: () => ({ gives: OPEN }),
      followBatch: each({ gives: { ...OPEN, confirmed: 0 } }, { gives: DONE }),
    }),
    batch('left open', {
      settleBatch: () => ({ gives: OPEN }),
      followBatch: () => ({ gives: { ...OPEN, confirmed: 0 } }),
    }),
    batch('retried', { settleBatch: retried(DONE) }),
    batch('failed', { settleBatch: fails }),
    batch('cancelled', { settleBatch: hangs }, true),
    asset('ordinary', each(settledWindows(4), settledWindows(1))),
    asset('idle', () => settledWindows(0)),
    asset('retried', each({ fails: outage() }, settledWindows(2), { fails: outage() }, settledWindows(1))),
    asset('failed', fails),
    asset('cancelled', hangs, true),
    resolution('ordinary', {
      resolutionStep: each(progress('window', 20), progress('paying', 0), progress('ended', null)),
    }),
    resolution('disputed and held', {
      resolutionStep: each(
        progress('disputed', 10),
        progress('window', 1),
        progress('held', 10, 2),
        progress('ended', null),
      ),
    }),
    resolution('retried', { resolutionStep: retried({ state: 'ended', wait_ms: null, unconfirmed: null }) }),
    resolution('failed', { resolutionStep: fails }),
    resolution('cancelled', { resolutionStep: hangs }, true),
    follow('ordinary', { awaitSettlementWork: each(work('one', 1), work('one', 2)) }, idsOf('one')),
    follow('moved', { awaitSettlementWork: each(work('two', 1), work('two', 2), work('two', 3)) }, idsOf('two')),
    follow('retried', { awaitSettlementWork: each({ fails: outage() }, work('three', 1)) }, idsOf('three')),
    follow('failed', { awaitSettlementWork: fails }, []),
    follow('cancelled', { awaitSettlementWork: hangs }, [], true),
  ]
}

/** Courses that a seed chooses: outages anywhere, windows empty and full, resolutions with any number of steps. */
export function variedSettlement(seed: number): Scenario[] {
  const random = seededRandom(seed)
  const numbered = (of: (n: number) => Scenario) => Array.from({ length: COURSES }, (_, n) => of(n))
  return [
    ...numbered((n) => variedBatch(n, random)),
    ...numbered((n) => variedAsset(n, random)),
    ...numbered((n) => variedResolution(n, random)),
    ...numbered((n) => variedFollow(n, random)),
  ]
}

/** Some outages before what an activity gives at last. */
function chancy(random: Random, ratio: number, steps: readonly Step[]): (attempt: number) => Step {
  return each(...steps.flatMap((step): Step[] => (random() < ratio ? [{ fails: outage() }, step] : [step])))
}

function variedBatch(n: number, random: Random): Scenario {
  if (n % 8 === 7) return batch(`varied ${n}`, { settleBatch: hangs }, true)
  if (n % 8 === 6) return batch(`varied ${n}`, { settleBatch: fails })
  const looks = Array.from({ length: 2 }, (): Step => ({ gives: random() < 0.4 ? DONE : { ...OPEN, confirmed: 0 } }))
  const first: Step = { gives: random() < 0.3 ? DONE : OPEN }
  return batch(`varied ${n}`, { settleBatch: chancy(random, 0.4, [first]), followBatch: chancy(random, 0.3, looks) })
}

function variedAsset(n: number, random: Random): Scenario {
  if (n % 8 === 7) return asset(`varied ${n}`, hangs, true)
  const steps = Array.from({ length: 1 + Math.floor(random() * 4) }, () => settledWindows(Math.floor(random() * 9)))
  const last: Step[] = n % 8 === 6 ? [{ fails: bad() }] : []
  return asset(`varied ${n}`, chancy(random, 0.3, [...steps, ...last]))
}

function variedResolution(n: number, random: Random): Scenario {
  const name = `varied ${n}`
  if (n % 8 === 7) return resolution(name, { resolutionStep: each(progress('window', 1), hangs()) }, true)
  const states = ['window', 'disputed', 'held', 'paying'] as const
  const steps = Array.from({ length: Math.floor(random() * 6) }, () =>
    progress(states[Math.floor(random() * states.length)]!, Math.floor(random() * 20)),
  )
  const last: Step = n % 8 === 6 ? { fails: bad() } : progress('ended', null)
  return resolution(name, { resolutionStep: chancy(random, 0.3, [...steps, last]) })
}

function variedFollow(n: number, random: Random): Scenario {
  const name = `varied ${n}`
  if (n % 8 === 7) return follow(name, { awaitSettlementWork: hangs }, [], true)
  const steps = Array.from({ length: 1 + Math.floor(random() * 4) }, (_, place) => work(`v${n}`, place))
  const resolutionStep = n % 2 === 0 ? fails : hangs
  return follow(name, { awaitSettlementWork: chancy(random, 0.3, steps), resolutionStep }, idsOf(`v${n}`))
}
