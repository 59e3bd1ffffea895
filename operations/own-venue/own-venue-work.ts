import type { EngineClient } from '../../trading/service/engine-client.ts'
import type { Pool } from '../../trading/store/create-pool.ts'
import { checkpointKeeper } from '../../trading/store/keep-checkpoints.ts'
import { operatorReads } from '../../trading/store/operator/operator-reads.ts'
import { createVenueReads } from '../../trading/store/venue/venue-reads.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { listMarkets } from './list-markets.ts'
import type { ListingPolicy } from './listing-policy.ts'
import { openMarkSource } from './mark-source.ts'
import { type OwnVenueReport, ownVenueSession } from './own-venue-session.ts'
import { tellMarks } from './tell-marks.ts'

/** Work for our own exchange beside trading, to be called by a scheduler. */
export type OwnVenueWork = {
  /** Runs one session of the warehouse tail. */
  session(args: { readonly session_ms: number }, watch: SessionWatch): Promise<OwnVenueReport>
  /** Sends published marks to the engine. */
  tellMarks(): Promise<{ readonly told: number }>
  /** Lists markets by the policy and makes listings follow their references; does nothing without a policy. */
  listMarkets(): Promise<ListingCounts>
}

type SessionWatch = {
  readonly signal: AbortSignal
  readonly heartbeat: (so_far: OwnVenueReport) => void
}

/** `notes` counts matters that need a person. */
export type ListingCounts = { readonly done: number; readonly refused: number; readonly notes: number }

export type OwnVenueWorkPorts = {
  readonly warehouse: Warehouse
  readonly pool: Pool
  readonly client: EngineClient
  readonly policy: ListingPolicy | null
  readonly on_problem: (error: unknown) => void
  /** Receives refused acts and matters that need a person, each once. */
  readonly on_note: (text: string) => void
}

/** Returns the work of our own exchange; connects to nothing until it is called. */
export function openOwnVenueWork(ports: OwnVenueWorkPorts): OwnVenueWork {
  const { warehouse, pool, client, policy, on_problem, on_note } = ports
  const reads = createVenueReads(pool)
  const checkpoints = checkpointKeeper(pool)
  const source = openMarkSource(warehouse)
  const noted = new Set<string>()
  const note = (text: string) => {
    if (noted.has(text)) return
    noted.add(text)
    on_note(text)
  }
  return {
    session: (args, { signal, heartbeat }) =>
      ownVenueSession(args, { warehouse, reads, checkpoints, signal, on_problem }, heartbeat),
    tellMarks: () => tellMarks({ source, reads, client }),
    listMarkets: async () => {
      if (policy === null) return { done: 0, refused: 0, notes: 0 }
      const operator = operatorReads(pool)
      const { acts, notes } = await listMarkets({ warehouse, reads, operator, client, policy })
      const refused = acts.filter(({ result }) => result === 'refused')
      for (const { market_id, error } of refused) note(`listing of ${market_id} was rejected: ${error}`)
      for (const { market_id, note: text } of notes) note(`listing of ${market_id}: ${text}`)
      const done = acts.filter(({ result }) => result === 'done').length
      return { done, refused: refused.length, notes: notes.length }
    },
  }
}
