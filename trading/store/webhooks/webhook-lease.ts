import type { Pool, PoolClient } from '../create-pool.ts'
import { readSql } from '../read-sql.ts'

const FOLDER = new URL('./sql/', import.meta.url)

/**
 * Lease of deliveries: one connection of the database holds it, and every write of a delivery goes through that connection. So a
 * process that has lost it cannot record anything, and a killed one has lost it as soon as the server notices.
 */
export type WebhookLease = {
  /** Aborted when the connection is lost. */
  readonly lost: AbortSignal
  /** Runs the statements of one transaction, after those of earlier calls. */
  write(statements: readonly LeaseStatement[]): Promise<void>
  release(): Promise<void>
}
export type LeaseStatement = { readonly name: string; readonly values: readonly unknown[] }

/** Takes the lease; null: another process holds it. */
export async function takeWebhookLease(pool: Pool): Promise<WebhookLease | null> {
  const client = await pool.connect()
  try {
    const { rows } = await client.query<{ is_taken: boolean }>(readSql('take_webhook_lease', FOLDER))
    if (rows[0]?.is_taken === true) return heldBy(client)
  } catch (error) {
    client.release(true)
    throw error
  }
  client.release()
  return null
}

function heldBy(client: PoolClient): WebhookLease {
  const lost = new AbortController()
  client.on('error', () => lost.abort())
  client.on('end', () => lost.abort())
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const done = last.then(work)
    last = done.catch(() => undefined)
    return done
  }
  return {
    lost: lost.signal,
    write: (statements) =>
      inTurn(async () => {
        try {
          await transact(client, statements)
        } catch (error) {
          // Whether it was committed is not known: another holder of the lease reads what was.
          lost.abort()
          throw error
        }
      }),
    release: () =>
      inTurn(async () => {
        const query = lost.signal.aborted ? null : client.query(readSql('release_webhook_lease', FOLDER))
        await query?.catch(() => undefined)
        // Closed, not returned to the pool: a lease that could not be given back ends with its connection.
        client.release(true)
        lost.abort()
      }),
  }
}

async function transact(client: PoolClient, statements: readonly LeaseStatement[]): Promise<void> {
  if (statements.length > 1) await client.query('BEGIN')
  for (const { name, values } of statements)
    await client.query({ name: `webhooks_${name}`, text: readSql(name, FOLDER), values: [...values] })
  if (statements.length > 1) await client.query('COMMIT')
}
