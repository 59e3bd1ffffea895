import type { VenueConnector } from '../../connectors/venues/venue-connector.ts'
import type { VenueStream } from '../../connectors/ws/venue-stream.ts'
import { formatMicros, type Micros, toMicros } from '../../primitives/instants.ts'
import type { ImportReport } from '../import/import-report.ts'
import type { IngestFacts } from './ingest-health.ts'
import { type IngestSigns, ingestState, ingestTrouble } from './ingest-state.ts'

type Opened = {
  readonly connector: VenueConnector
  readonly streams: readonly VenueStream[]
  readonly opened_at: Micros
}

/** Watches the health of one ingest session, from its connections to the records it stores. */
export class SessionWatch {
  readonly #now: () => Micros
  #connection: Opened | null = null
  #sessions = 0
  #confirmed_at: Micros | null = null
  /** Gaps of all connections before the current one. */
  #gaps_before = 0
  #gaps_seen = 0
  #gap_at: Micros | null = null
  #quarantined_seen = 0
  #quarantined_at: Micros | null = null
  /** Last failure of each reading that has not succeeded since. */
  readonly #failing = new Map<string, { readonly at: Micros; readonly problem: string }>()
  #read_at: Micros | null = null
  #report: ImportReport | null = null
  readonly #started_at: Micros
  readonly #silence: Micros

  /** @param silence time without a sign of life after which the venue counts as down */
  constructor(now: () => Micros, silence: Micros) {
    this.#now = now
    this.#silence = silence
    this.#started_at = now()
  }

  opened(connector: VenueConnector, streams: readonly VenueStream[]): void {
    this.#gaps_before += this.#gapsOfConnection()
    this.#connection = { connector, streams, opened_at: this.#now() }
    this.#sessions += 1
  }

  /** Records a failed read. */
  failed(problem: string, reading: string): void {
    this.#failing.set(reading, { at: this.#now(), problem })
  }

  /** Records a completed read. */
  read(reading: string): void {
    this.#failing.delete(reading)
    this.#read_at = this.#now()
  }

  /** Records what the import has stored so far. */
  stored(report: ImportReport): void {
    this.#report = report
  }

  /** Returns the session's health now. */
  facts(): IngestFacts {
    const at = this.#now()
    const { connector, streams } = this.#connection ?? { connector: null, streams: [] }
    this.#confirmed_at = Math.max(connector?.confirmed_at ?? 0, this.#confirmed_at ?? 0) || null
    const gaps = this.#gaps_before + this.#gapsOfConnection()
    if (gaps > this.#gaps_seen) this.#gap_at = at
    this.#gaps_seen = gaps
    const { records_new = 0, records_quarantined = 0, last_source_at = null } = this.#report ?? {}
    if (records_quarantined > this.#quarantined_seen) this.#quarantined_at = at
    this.#quarantined_seen = records_quarantined
    const signs: IngestSigns = {
      now: at,
      started_at: this.#started_at,
      confirmed_at: this.#confirmed_at,
      streams: streams.length,
      streams_open: streams.filter((stream) => stream.state === 'open').length,
      failed_at: this.#lastFailure()?.at ?? null,
      read_at: this.#failing.size > 0 ? null : this.#read_at,
      gap_at: this.#gap_at,
      quarantined_at: this.#quarantined_at,
    }
    const state = ingestState(signs, this.#silence)
    return {
      at,
      state,
      last_success_at: this.#confirmed_at,
      last_source_at: last_source_at === null ? null : toMicros(last_source_at),
      gaps,
      quarantined: records_quarantined,
      records_new,
      sessions: this.#sessions,
      problem: state === 'ok' ? null : this.#problemOf(signs),
    }
  }

  /** Why the state is not ok now: the reading that failed last, with its instant, else what the connections show. */
  #problemOf(signs: IngestSigns): string | null {
    const failure = this.#lastFailure()
    if (failure !== null) return `${formatMicros(failure.at)}: ${failure.problem}`
    return (
      ingestTrouble(signs, this.#silence) ??
      (this.#quarantined_seen > 0 ? `${this.#quarantined_seen} records cannot be used` : null)
    )
  }

  #lastFailure() {
    return [...this.#failing.values()].reduce<{ readonly at: Micros; readonly problem: string } | null>(
      (last, one) => (last === null || one.at >= last.at ? one : last),
      null,
    )
  }

  /** Every connection of a stream after its first follows a gap. */
  #gapsOfConnection(): number {
    return (this.#connection?.streams ?? []).reduce((sum, { connections }) => sum + Math.max(0, connections - 1), 0)
  }
}
