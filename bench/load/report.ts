import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { LoadOptions } from './load-options.ts'
import { riseOf } from './memory.ts'
import type { Sent } from './send-orders.ts'
import type { BacklogFigures } from './settling.ts'
import type { StreamsMeasured } from './streams.ts'

/** Limits for a run without kills. */
const GOALS = { p99_ms: 100, private_event_p99_ms: 250, rss_rise: 0.05 }
const REPORTS = fileURLToPath(new URL('../../reports/reliability/', import.meta.url))

export type Measured = {
  /** Warm-up orders; only their acceptance counts. */
  readonly warm_up: readonly Sent[]
  readonly sent: readonly Sent[]
  /** Memory of each process in MiB, one value per second; then its processor time while orders were sent. */
  readonly memory: Readonly<Record<string, readonly number[]>>
  readonly cpu_s: Readonly<Record<string, number | null>>
  /** From the first order to the last answer. */
  readonly took_s: number
  readonly streams: StreamsMeasured | null
  readonly settlement: BacklogFigures | null
}

export type Checks = { readonly violations: readonly string[]; readonly lost: number; readonly orders: number }

/** Prints and stores the JSON line of a run. @returns the exit code: 1 if a goal is missed */
export function report(options: LoadOptions, measured: Measured, found: Checks): number {
  const { warm_up, sent, memory, cpu_s, took_s, streams, settlement } = measured
  const times = timesOf(sent)
  const p99_ms = quantile(times, 0.99)
  const refused = [...warm_up, ...sent].filter(({ status }) => status !== 201)
  const errors = refused.length
  const missed = [
    ...(found.lost > 0 ? ['lost'] : []),
    ...(found.violations.length > 0 ? ['violations'] : []),
    ...(options.kill ? [] : missedGoals(measured, errors, p99_ms)),
  ]
  const line = {
    command: 'load',
    ...options,
    sent: sent.length,
    accepted: times.length,
    errors,
    refusals: countBy(refused.map(({ status, code }) => `${status} ${code ?? '-'}`)),
    p50_ms: quantile(times, 0.5),
    p99_ms,
    max_ms: quantile(times, 1),
    streams,
    settlement,
    took_s: round(took_s),
    cpu_s,
    rss_mib: byName(memory, (series) => round(series.at(-1) ?? null)),
    rss_rise: byName(memory, (series) => round(riseOf(series), 4)),
    ...found,
    missed,
    ok: missed.length === 0,
  }
  mkdirSync(REPORTS, { recursive: true })
  writeFileSync(join(REPORTS, 'load.json'), `${JSON.stringify(line)}\n`)
  process.stdout.write(`${JSON.stringify(line)}\n`)
  return line.ok ? 0 : 1
}

/** Returns the 99th percentile of accepted orders' answer times, in milliseconds; null if none was accepted. */
export function p99Of({ sent }: Pick<Measured, 'sent'>): number | null {
  return quantile(timesOf(sent), 0.99)
}

function timesOf(sent: readonly Sent[]): readonly number[] {
  const accepted = sent.filter(({ status }) => status === 201)
  return accepted.map(({ took_ms }) => took_ms).sort((a, b) => a - b)
}

function quantile(times: readonly number[], share: number): number | null {
  return round(times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? null)
}

function missedGoals({ memory, streams, settlement }: Measured, errors: number, p99_ms: number | null): string[] {
  const private_p99_ms = streams?.private.p99_ms ?? 0
  return [
    ...(errors > 0 ? ['errors'] : []),
    ...((p99_ms ?? 1e9) < GOALS.p99_ms ? [] : ['p99_ms']),
    ...(private_p99_ms < GOALS.private_event_p99_ms ? [] : ['private_event_p99_ms']),
    ...((streams?.failures ?? 0) > 0 ? ['streams.failures'] : []),
    ...(settlement !== null && settlement.drained_ms === null ? ['settlement.drained_ms'] : []),
    // Postgres fills its buffers, so only our own processes must not grow.
    ...['engine', 'api'].filter((name) => riseOf(memory[name] ?? []) >= GOALS.rss_rise).map((name) => `rss of ${name}`),
  ]
}

function byName<T>(memory: Measured['memory'], of: (series: readonly number[]) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(memory).map(([name, series]) => [name, of(series)]))
}

function countBy(keys: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const key of keys) counts[key] = (counts[key] ?? 0) + 1
  return counts
}

function round(value: number | null, digits = 1): number | null {
  return value === null ? null : Math.round(value * 10 ** digits) / 10 ** digits
}
