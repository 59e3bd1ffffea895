import type { VenueConnector } from '../../connectors/venues/venue-connector.ts'
import type { VenueStream } from '../../connectors/ws/venue-stream.ts'
import { type Micros, toMicros } from '../../primitives/instants.ts'
import type { ImportReport } from '../import/import-report.ts'
import type { IngestFacts } from './ingest-health.ts'
import { ingestState } from './ingest-state.ts'

type Opened = {
  readonly connector: VenueConnector
  readonly streams: readonly VenueStream[]
  readonly opened_at: Micros
}

/** Watches one session of ingest, from its connections to what it stores. */
export class SessionWatch {
  private readonly now: () => Micros
  private connection: Opened | null = null
  private sessions = 0
  private confirmed_at: Micros | null = null
  /** Of connections before the present one. */
  private gaps_before = 0
  private gaps_seen = 0
  private gap_at: Micros | null = null
  private quarantined_seen = 0
  private quarantined_at: Micros | null = null
  private failed_at: Micros | null = null
  private read_at: Micros | null = null
  private problem: string | null = null
  private report: ImportReport | null = null
  private readonly started_at: Micros
  private readonly silence: Micros

  /** @param silence without a sign of life for so long the venue is down */
  constructor(now: () => Micros, silence: Micros) {
    this.now = now
    this.silence = silence
    this.started_at = now()
  }

  opened(connector: VenueConnector, streams: readonly VenueStream[]): void {
    this.gaps_before += this.gapsOfConnection()
    this.connection = { connector, streams, opened_at: this.now() }
    this.sessions += 1
  }

  /** A read that failed. */
  failed(problem: string): void {
    this.failed_at = this.now()
    this.problem = problem
  }

  /** A read that came to its end. */
  read(): void {
    this.read_at = this.now()
  }

  /** What was stored so far. */
  stored(report: ImportReport): void {
    this.report = report
  }

  /** How it is at this moment. */
  facts(): IngestFacts {
    const at = this.now()
    const { connector, streams } = this.connection ?? { connector: null, streams: [] }
    this.confirmed_at = Math.max(connector?.confirmed_at ?? 0, this.confirmed_at ?? 0) || null
    const gaps = this.gaps_before + this.gapsOfConnection()
    if (gaps > this.gaps_seen) this.gap_at = at
    this.gaps_seen = gaps
    const { records_new = 0, records_quarantined = 0, last_source_at = null } = this.report ?? {}
    if (records_quarantined > this.quarantined_seen) {
      this.quarantined_at = at
      this.problem = `${records_quarantined} records cannot be used`
    }
    this.quarantined_seen = records_quarantined
    const state = ingestState(
      {
        now: at,
        started_at: this.started_at,
        confirmed_at: this.confirmed_at,
        streams: streams.length,
        streams_open: streams.filter((stream) => stream.state === 'open').length,
        failed_at: this.failed_at,
        read_at: this.read_at,
        gap_at: this.gap_at,
        quarantined_at: this.quarantined_at,
      },
      this.silence,
    )
    if (state === 'ok') this.problem = null
    return {
      at,
      state,
      last_success_at: this.confirmed_at,
      last_source_at: last_source_at === null ? null : toMicros(last_source_at),
      gaps,
      quarantined: records_quarantined,
      records_new,
      sessions: this.sessions,
      problem: this.problem,
    }
  }

  /** Every connection of a stream after its first follows a gap. */
  private gapsOfConnection(): number {
    return (this.connection?.streams ?? []).reduce((sum, { connections }) => sum + Math.max(0, connections - 1), 0)
  }
}
