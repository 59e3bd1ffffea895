import type { Pool } from './create-pool.ts'
import type { EngineConnection } from './engine-connection.ts'
import { readSql } from './read-sql.ts'

/** Held by one engine at a time; `epoch` rises with every holder. */
export type Lease = { readonly epoch: number }

export type LeaseState = {
  readonly epoch: number
  readonly holder: string
  /** host:port of the holder's socket; null: it listens nowhere. */
  readonly address: string | null
  readonly token: string | null
  readonly backend_pid: number | null
  /** It may be taken: expired by the database's clock, or its holder's connection is gone. */
  readonly is_free: boolean
}

/** Who asks for the lease, and for how long. */
export type Candidate = { readonly holder: string; readonly lease_ms: number }

/** Where a leader takes submissions. */
export type Announcement = { readonly address: string | null; readonly token: string | null; readonly lease_ms: number }

const STATE = readSql('lease_state')
const END_BACKEND = readSql('end_backend')
const TAKE = readSql('take_lease')
const ANNOUNCE = readSql('announce_leader')
const RELEASE = readSql('release_lease')

/** The lease as it stands; null: nobody ever had it. */
export async function readLease(pool: Pool | EngineConnection['client']): Promise<LeaseState | null> {
  const { rows } = await pool.query<LeaseState>(STATE)
  return rows[0] ?? null
}

/**
 * Takes the lease where it is free, or was ours. The former holder's connection is ended first, so that none of its
 * transactions holds the row or commits later.
 * @param former our own epoch before a reload, which need not have expired; null: none
 * @returns null where another one has it
 */
export async function takeLease(
  connection: EngineConnection,
  candidate: Candidate,
  former: number | null,
): Promise<Lease | null> {
  const { client } = connection
  const state = await readLease(client)
  if (state !== null && !state.is_free && state.epoch !== former) return null
  if (state?.backend_pid != null) await client.query(END_BACKEND, [state.backend_pid])
  const { holder, lease_ms } = candidate
  const taken = await client.query<Lease>(TAKE, [state?.epoch ?? 0, holder, lease_ms])
  return taken.rows[0] ?? null
}

/**
 * Tells others where this leader takes submissions; to be called once it can.
 * @returns false: the lease is lost
 */
export async function announceLeader(
  { client }: EngineConnection,
  { epoch }: Lease,
  { address, token, lease_ms }: Announcement,
): Promise<boolean> {
  const { rowCount } = await client.query(ANNOUNCE, [epoch, address, token, lease_ms])
  return rowCount === 1
}

/** Renews the lease without a batch. @throws the database's error TK001 where it is lost */
export async function renewLease({ client }: EngineConnection, { epoch }: Lease, lease_ms: number): Promise<void> {
  await client.query({ name: 'hold_lease', text: 'SELECT trading.hold_lease($1, $2)', values: [epoch, lease_ms] })
}

/** Gives the lease back at an orderly end. */
export async function releaseLease({ client }: EngineConnection, { epoch }: Lease): Promise<void> {
  await client.query(RELEASE, [epoch])
}
