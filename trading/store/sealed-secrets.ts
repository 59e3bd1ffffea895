import { type KeyEncryptionKey, unsealSecret } from '../auth/seal-secret.ts'
import type { Pool } from './create-pool.ts'
import { readSql } from './read-sql.ts'

type Row = { readonly id: string; readonly material: string; readonly of_key: boolean }

/** SQLSTATE of a table, a schema and a database that do not exist: nothing was sealed there. */
const ABSENT = ['42P01', '3F000', '3D000']
/** Secrets of each kind that are tried: one that opens suffices. */
const TRIED_MAX = 50

/**
 * Returns whether a key fits the secrets that the database has sealed: it opens some of them, or they are of webhooks alone. Operators
 * can revoke keys, so that a new key may follow one that was lost; only the owners can give their webhooks new secrets.
 * @param sealing  null: there is none, which fits nothing
 * @returns null: nothing is sealed
 * @throws an error of the database: nothing is known
 */
export async function fitsSealed(pool: Pick<Pool, 'query'>, sealing: KeyEncryptionKey | null): Promise<boolean | null> {
  const { rows } = await pool.query<Row>(readSql('sealed_secrets'), [TRIED_MAX]).catch((error: unknown) => {
    if (ABSENT.includes((error as { code?: string }).code ?? '')) return { rows: [] }
    throw error
  })
  if (rows.length === 0) return null
  return sealing !== null && (rows.every(({ of_key }) => !of_key) || rows.some((row) => opens(sealing, row)))
}

function opens(sealing: KeyEncryptionKey, { id, material }: Row): boolean {
  try {
    unsealSecret(sealing, id, material)
    return true
  } catch {
    return false
  }
}
