import { ServiceError } from '../../../primitives/errors.ts'
import type { Pool } from '../create-pool.ts'
import { readSql } from '../read-sql.ts'

const FOLDER = new URL('./', import.meta.url)

/** Runs a statement of this folder. @throws {ServiceError} SERVICE_UNAVAILABLE: the database does not answer */
export type SettlementRows = <T extends object>(name: string, ...values: readonly unknown[]) => Promise<readonly T[]>

/** Creates the runner of this folder's statements over a pool; each connection prepares them once. */
export function settlementRows(pool: Pool): SettlementRows {
  return async <T extends object>(name: string, ...values: readonly unknown[]) => {
    try {
      return (await pool.query<T>({ name: `settlement_${name}`, text: readSql(name, FOLDER), values: [...values] }))
        .rows
    } catch (error) {
      const { message } = error as Error
      throw new ServiceError('SERVICE_UNAVAILABLE', `the trading database does not answer: ${message}`, {}, error)
    }
  }
}
