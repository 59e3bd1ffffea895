import type { MetricSet } from '../../api/admin/metric-set.ts'

/** Processes of a service and where their metrics are. */
export type ProcessBoard = {
  /** Notes that a process is ready. */
  started(name: string, metrics_url: string | null): void
  /** Notes that a process ended, whatever the reason. */
  ended(name: string): void
  /** Targets in the form of Prometheus's HTTP service discovery; `host` stands for processes that listen on every address. */
  targets(
    host: string,
  ): readonly { readonly targets: readonly string[]; readonly labels: { readonly process: string } }[]
  /** Notes the simulated venues of a world: where faults of each are read and replaced. */
  serves(fault_urls: Readonly<Record<string, string>>): void
  /** Those addresses, by venue; none before the venues are served. */
  venues(): Readonly<Record<string, string>>
  /** Processes that do not run, though they did. */
  missing(): readonly string[]
  addTo(set: MetricSet): void
}

type Known = { metrics_url: string | null; is_running: boolean; starts: number }

/** Creates the board of a service without processes. @param note receives that a process that ended runs again */
export function createProcessBoard(note: (text: string) => void = () => undefined): ProcessBoard {
  const known = new Map<string, Known>()
  let faults: Readonly<Record<string, string>> = {}
  const each = (value: (process: Known) => number) =>
    Object.fromEntries([...known].map(([name, process]) => [name, value(process)]))
  return {
    started: (name, metrics_url) => {
      const starts = (known.get(name)?.starts ?? 0) + 1
      known.set(name, { metrics_url, is_running: true, starts })
      if (starts > 1) note(`the process ${name} runs again`)
    },
    ended: (name) => {
      const process = known.get(name)
      if (process !== undefined) process.is_running = false
    },
    targets: (host) =>
      [...known].flatMap(([process, { metrics_url }]) =>
        metrics_url === null ? [] : [{ targets: [placeOf(metrics_url, host)], labels: { process } }],
      ),
    serves: (fault_urls) => {
      faults = fault_urls
    },
    venues: () => faults,
    missing: () => [...known].flatMap(([name, { is_running }]) => (is_running ? [] : [name])),
    addTo: (set) => {
      set.labelled(
        'tidemark_process_running',
        '1: the process of the service runs; 0: it ended and is started again.',
        'process',
        () => each(({ is_running }) => Number(is_running)),
      )
      set.totals(
        'tidemark_process_starts_total',
        'Starts of each process of the service, the first included.',
        'process',
        () => each(({ starts }) => starts),
      )
    },
  }
}

/** Returns host and port of a target. What listens on every address is reached as this process was. */
function placeOf(metrics_url: string, reached_at: string): string {
  const { host, hostname, port } = new URL(metrics_url)
  return ['0.0.0.0', '[::]'].includes(hostname) && reached_at !== '' ? `${reached_at}:${port}` : host
}
