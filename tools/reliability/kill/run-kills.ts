import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endedWith } from '../ended-with.ts'
import { compareJournals } from './compare-journals.ts'
import { type Chapter, runChapter } from './run-chapter.ts'

export type KillOptions = {
  readonly seed: number
  readonly kills: number
  /** Kills per database; the audit after each kill reads all of it. */
  readonly chapter_kills: number
  readonly clients: number
  readonly acknowledged: number
  readonly postgres?: Readonly<Record<string, string>>
  /** Folder for journals and notes of a chapter with findings; by default they are discarded. */
  readonly evidence?: string
  readonly onChapter?: (text: string) => void
}

export type KillReport = {
  readonly lane: 'rel:kill'
  readonly seed: number
  readonly kills: number
  /** By what was done, and by named place. */
  readonly kills_by: Readonly<Record<string, number>>
  readonly chapters: number
  readonly acknowledged: number
  readonly placed: number
  readonly canceled: number
  readonly amended: number
  readonly quoted: number
  readonly protected: number
  readonly switched: number
  /** Orders that ended without their client, by reason. */
  readonly ended: Readonly<Record<string, number>>
  readonly unknown: number
  readonly repeated: number
  readonly audits: number
  readonly lost: number
  readonly phantom: number
  readonly doubled: number
  readonly changed: number
  readonly refused: Readonly<Record<string, number>>
  /** From a kill to the answer of the first request that was sent after it; of a pause, its time is in it. */
  readonly recovery_ms: Readonly<Record<string, { readonly p50: number; readonly p95: number; readonly max: number }>>
  readonly violations: readonly string[]
}

const VIOLATIONS_TOLD = 20

/** Kills processes under load, chapter after chapter, until there were as many kills as wanted or something was found. */
export async function runKills(options: KillOptions): Promise<KillReport> {
  const chapters: Chapter[] = []
  let found: Found = { violations: [], counts: new Map() }
  let left = options.kills
  while (left > 0 && found.violations.length === 0) {
    const home = mkdtempSync(join(tmpdir(), 'tidemark-kill-'))
    const close = async () => rmSync(home, { recursive: true, force: true })
    await endedWith(close, async () => {
      const kills = Math.min(left, options.chapter_kills)
      const chapter = await runChapter({ ...options, kills, chapter: chapters.length + 1, home })
      chapters.push(chapter)
      left -= kills
      found = findIn(chapter)
      options.onChapter?.(told(chapters.length, chapter, found))
      if (found.violations.length > 0) keep(home, options)
    })
  }
  return reportOf(options.seed, chapters, found)
}

type Found = { readonly violations: readonly string[]; readonly counts: ReadonlyMap<string, number> }

/** Everything that a chapter has against the service. */
export function findIn({ broken, tally, entries, copy }: Chapter): Found {
  const compared = compareJournals(entries, copy)
  const counts = new Map<string, number>()
  for (const { invariant_id } of compared) counts.set(invariant_id, (counts.get(invariant_id) ?? 0) + 1)
  const texts = compared.map(
    (one) => `${one.invariant_id} ${one.subject}: found ${one.found}, expected ${one.expected}`,
  )
  return { violations: [...new Set([...broken, ...tally.faults, ...texts])].slice(0, VIOLATIONS_TOLD), counts }
}

function reportOf(seed: number, chapters: readonly Chapter[], { violations, counts }: Found): KillReport {
  const sum = (of: (chapter: Chapter) => number) => chapters.reduce((total, chapter) => total + of(chapter), 0)
  return {
    lane: 'rel:kill',
    seed,
    kills: sum(({ kills }) => kills.length),
    kills_by: killsBy(chapters),
    chapters: chapters.length,
    acknowledged: sum(({ tally }) => tally.acknowledged),
    placed: sum(({ tally }) => tally.placed),
    canceled: sum(({ tally }) => tally.canceled),
    amended: sum(({ tally }) => tally.amended),
    quoted: sum(({ tally }) => tally.quoted),
    protected: sum(({ tally }) => tally.protected),
    switched: sum(({ tally }) => tally.switched),
    ended: endedBy(chapters),
    unknown: sum(({ tally }) => tally.unknown),
    repeated: sum(({ tally }) => tally.repeated),
    audits: sum(({ audits }) => audits),
    lost: counts.get('D1') ?? 0,
    phantom: counts.get('D2') ?? 0,
    doubled: counts.get('D3') ?? 0,
    changed: counts.get('CHANGED') ?? 0,
    refused: refusedBy(chapters),
    recovery_ms: recoveryBy(chapters),
    violations,
  }
}

function killsBy(chapters: readonly Chapter[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const kill of chapters.flatMap(({ kills }) => kills)) {
    const name = kill.target === 'killpoint' ? kill.killpoint.split(':')[0]! : kill.target
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

const OWN_ENDS = ['CANCEL_AFTER', 'MARKET_MAKER_PROTECTION', 'SELF_TRADE_PREVENTION']

function endedBy(chapters: readonly Chapter[]): Record<string, number> {
  const reasons = chapters.flatMap(({ copy }) => copy.orders.map(({ terminal_reason }) => terminal_reason))
  return Object.fromEntries(OWN_ENDS.map((reason) => [reason, reasons.filter((one) => one === reason).length]))
}

function refusedBy(chapters: readonly Chapter[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const [name, count] of chapters.flatMap(({ tally }) => Object.entries(tally.refused))) {
    counts[name] = (counts[name] ?? 0) + count
  }
  return counts
}

function recoveryBy(chapters: readonly Chapter[]): KillReport['recovery_ms'] {
  const all = chapters.flatMap(({ kills, recoveries_ms }) =>
    recoveries_ms.map((took_ms, place) => ({ target: kills[place]!.target, took_ms })),
  )
  const targets = [...new Set(all.map(({ target }) => target))].sort()
  return Object.fromEntries(
    targets.map((target) => {
      const times = all.filter((one) => one.target === target).map(({ took_ms }) => took_ms)
      times.sort((a, b) => a - b)
      const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))]!
      return [target, { p50: at(0.5), p95: at(0.95), max: at(1) }]
    }),
  )
}

function told(place: number, { kills, tally }: Chapter, { violations }: Found): string {
  return `chapter ${place}: ${kills.length} kills, ${tally.acknowledged} acknowledged, ${tally.unknown} unknown, ${violations.length} violations`
}

function keep(home: string, { evidence, seed }: KillOptions): void {
  if (evidence === undefined) return
  for (const name of ['journals', 'notes.log']) {
    cpSync(join(home, name), join(evidence, `rel-kill-${seed}`, name), { recursive: true })
  }
}
