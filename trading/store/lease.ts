import type { Micros } from '../../primitives/instants.ts'
import type { Pool } from './create-pool.ts'
import type { EngineConnection } from './engine-connection.ts'
import { readSql } from './read-sql.ts'

/** Lease of the engine, held by one at a time; `epoch` rises with every holder. */
export type Lease = { readonly epoch: number }

export type LeaseState = {
  readonly epoch: number
  readonly holder: string
  /** host:port of the holder's socket; null: it does not listen. */
  readonly address: string | null
  readonly token: string | null
  readonly backend_pid: number | null
  /** End by the database's clock; each renewal moves it. */
  readonly expires_at: Micros
  /** Whether it may be taken: expired by the database's clock, or the holder's connection is gone. */
  readonly is_free: boolean
}

/** A candidate for the lease, and the duration it wants. */
export type Candidate = {
  readonly holder: string
  readonly lease_ms: number
  /** Receives the lease that another engine holds. */
  readonly onHeld?: (lease: LeaseState) => void
}

/** Address at which a leader accepts submissions. */
export type Announcement = { readonly address: string | null; readonly token: string | null; readonly lease_ms: number }

const STATE = readSql('lease_state')
const END_BACKEND = readSql('end_backend')
const TAKE = readSql('take_lease')
const ANNOUNCE = readSql('announce_leader')
const RELEASE = readSql('release_lease')

/** Reads the lease; null: it was never held. */
export async function readLease(pool: Pool | EngineConnection['client']): Promise<LeaseState | null> {
  const { rows } = await pool.query<LeaseState>(STATE)
  return rows[0] ?? null
}

/**
 * Takes the lease if it is free or was ours. The former holder's connection is terminated first, so none of its
 * transactions can hold the row or commit later.
 * @param former our epoch before a reload, whose lease need not have expired; null: none
 * @returns null if another engine holds it
 */
export async function takeLease(
  connection: EngineConnection,
  candidate: Candidate,
  former: number | null,
): Promise<Lease | null> {
  const { client } = connection
  const state = await readLease(client)
  if (state !== null && !state.is_free && state.epoch !== former) {
    candidate.onHeld?.(state)
    return null
  }
  if (state?.backend_pid != null) await client.query(END_BACKEND, [state.backend_pid])
  const { holder, lease_ms } = candidate
  const taken = await client.query<Lease>(TAKE, [state?.epoch ?? 0, holder, lease_ms])
  return taken.rows[0] ?? null
}

/**
 * Publishes the address at which this leader accepts submissions; to be called once it does.
 * @returns false if the lease is lost
 */
export async function announceLeader(
  { client }: EngineConnection,
  { epoch }: Lease,
  { address, token, lease_ms }: Announcement,
): Promise<boolean> {
  const { rowCount } = await client.query(ANNOUNCE, [epoch, address, token, lease_ms])
  return rowCount === 1
}

/** Renews the lease without a batch. @throws the database's error TK001 if the lease is lost */
export async function renewLease({ client }: EngineConnection, { epoch }: Lease, lease_ms: number): Promise<void> {
  await client.query({ name: 'hold_lease', text: 'SELECT trading.hold_lease($1, $2)', values: [epoch, lease_ms] })
}

/** Releases the lease on an orderly shutdown. */
export async function releaseLease({ client }: EngineConnection, { epoch }: Lease): Promise<void> {
  await client.query(RELEASE, [epoch])
}
